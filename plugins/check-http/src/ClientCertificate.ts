/** The schemas of client certificates and their keys. Their content is examined in another process: see `ClientKey`. */
import { filteredText } from "@kanmon/domain/BoundedText"

const pem = (what: string, maxLength: number) =>
  filteredText(
    maxLength,
    (text) =>
      /^\s*-----BEGIN [A-Z ]+-----[^]*-----END [A-Z ]+-----\s*$/.test(text) ? undefined : `Expected ${what} in PEM`,
    { toJsonSchema: () => ({ maxLength }) }
  )

export const Certificate = pem("a certificate", 65_536)
export const Key = pem("a private key", 16_384)
