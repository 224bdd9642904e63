/** Keys from names: `Köln: Shop (new)` becomes `koln-shop-new`, and the second of them `koln-shop-new-2`. */

const longest = 56

/** Gives every name a key of its own, beside those that are used; `otherwise` where nothing is left of a name. */
export const slugs = (otherwise: string, used: Iterable<string> = []): ((name: string) => string) => {
  const taken = new Set<string>(used)
  return (name) => {
    const slug =
      name
        .normalize("NFKD")
        .replaceAll(/\p{M}/gu, "")
        .toLowerCase()
        .replaceAll(/[^a-z0-9]+/g, "-")
        .replaceAll(/^-|-$/g, "")
        .slice(0, longest)
        .replace(/-$/, "") || otherwise
    let key = slug
    for (let count = 2; taken.has(key); count++) key = `${slug}-${count}`
    taken.add(key)
    return key
  }
}
