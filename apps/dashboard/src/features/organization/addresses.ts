/** The e-mail addresses in a text as people paste it: with commas, semicolons, line ends, and names before the addresses. */
export const addressesIn = (text: string): ReadonlyArray<string> => {
  const found = text
    .split(/[\s,;<>"()]+/)
    .map((word) => word.replace(/^mailto:/i, ""))
    .filter((word) => /^[^@]+@[^@]+$/.test(word))
  return [...new Map(found.map((address) => [address.toLowerCase(), address])).values()]
}
