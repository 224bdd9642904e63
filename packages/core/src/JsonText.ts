/** JSON from outside, such as bodies of requests and answers of other services. */

/** Parses JSON without a check of its shape; `undefined` when the text is not JSON. */
export const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
