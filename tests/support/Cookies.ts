/** The cookies that an answer sets, as a client sends them back. */
export const cookieOf = ({ headers }: { readonly headers: Headers }): string =>
  headers
    .getSetCookie()
    .map((text) => text.split(";")[0])
    .join("; ")
