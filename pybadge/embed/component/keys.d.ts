import type { TrustedKey } from "./verify.js";

/** A key from the bytes of a file: key JSON, PEM, 32 raw bytes, their hex or base64. Throws a PithError. */
export function readKey(bytes: Uint8Array): Promise<TrustedKey>;

/** Whether 32 bytes are the one encoding of a point of prime order. */
export function isUsableKey(raw: Uint8Array): boolean;
