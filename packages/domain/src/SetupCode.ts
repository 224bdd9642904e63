/** The code with which the first account of a new installation becomes its administrator. Pure. */

/** Without letters and digits that look alike. */
const alphabet = "abcdefghjkmnpqrstuvwxyz23456789"
const groups = 3
const perGroup = 4

/** `bcde-fgh2-jkm3`, from at least twelve random or derived bytes. */
export const setupCodeOf = (bytes: Uint8Array): string =>
  Array.from({ length: groups }, (_, group) =>
    Array.from(bytes.slice(group * perGroup, (group + 1) * perGroup), (byte) => alphabet[byte % alphabet.length]).join(
      ""
    )
  ).join("-")

/** The code as people type it: case, blanks and hyphens do not matter. */
export const normalizeSetupCode = (typed: string): string => typed.toLowerCase().replaceAll(/[\s-]/g, "")
