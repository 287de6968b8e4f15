// The copy buttons; without scripts there are none, and the sources can be selected.
const said = document.getElementById("said");
for (const button of document.querySelectorAll(".copy")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const source = button.parentElement.querySelector("code");
    try {
      await navigator.clipboard.writeText(source.textContent);
      said.textContent = "Copied";
    } catch {
      // No clipboard here: select it instead, so that the reader's own copy key does the rest.
      getSelection().selectAllChildren(source);
      said.textContent = "Selected";
    }
  });
}
