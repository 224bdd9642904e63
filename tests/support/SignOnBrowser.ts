/** A browser as far as signing in goes: it keeps cookies of each host, follows redirects, and posts the forms of pages. */

interface Visit {
  readonly status: number
  readonly url: URL
  readonly headers: Headers
  readonly text: string
}

export interface SignOnBrowser {
  /** Opens an address and follows redirects, until one begins with `stopAt`, which is returned unopened. */
  readonly open: (address: string, options?: { readonly stopAt?: string }) => Promise<Visit>
  /** Posts a form, as a page of `from` would. */
  readonly post: (
    address: string,
    fields: Readonly<Record<string, string>>,
    from: string,
    options?: { readonly stopAt?: string }
  ) => Promise<Visit>
  readonly postJson: (address: string, body: unknown) => Promise<Visit>
  /** Cookies that the browser would send. */
  readonly cookies: (address: string) => string
  readonly forget: () => void
}

/** `aliases`: where hosts really listen, by their origins. */
export const make = (aliases: Readonly<Record<string, string>>): SignOnBrowser => {
  const jars = new Map<string, Map<string, { readonly value: string; readonly lax: boolean }>>()

  const cookies = (address: string, crossSitePost = false): string =>
    [...(jars.get(new URL(address).host) ?? [])]
      .filter(([, { lax }]) => !(lax && crossSitePost))
      .map(([name, { value }]) => `${name}=${value}`)
      .join("; ")

  const keep = (address: string, headers: Headers): void => {
    const { host } = new URL(address)
    const jar = jars.get(host) ?? new Map()
    jars.set(host, jar)
    for (const line of headers.getSetCookie()) {
      const [pair = "", ...attributes] = line.split(";").map((part) => part.trim())
      const name = pair.slice(0, pair.indexOf("="))
      if (attributes.some((attribute) => /^max-age=0$/i.test(attribute))) jar.delete(name)
      else
        jar.set(name, {
          value: pair.slice(name.length + 1),
          lax: !attributes.some((attribute) => /^samesite=none$/i.test(attribute))
        })
    }
  }

  const once = async (address: string, init: RequestInit, crossSitePost = false): Promise<Visit> => {
    const url = new URL(address)
    const there = aliases[url.origin] ?? url.origin
    const sent = cookies(address, crossSitePost)
    const response = await fetch(`${there}${url.pathname}${url.search}`, {
      ...init,
      redirect: "manual",
      headers: { accept: "text/html", host: url.host, ...(sent === "" ? {} : { cookie: sent }), ...init.headers }
    })
    keep(address, response.headers)
    return { status: response.status, url, headers: response.headers, text: await response.text() }
  }

  const follow = async (first: Visit, stopAt: string | undefined): Promise<Visit> => {
    let visit = first
    for (let hops = 0; hops < 20; hops++) {
      const location = visit.headers.get("location")
      if (visit.status < 300 || visit.status > 399 || location === null) return visit
      const next = new URL(location, visit.url)
      if (stopAt !== undefined && next.href.startsWith(stopAt))
        return { status: visit.status, url: next, headers: visit.headers, text: "" }
      visit = await once(next.href, {})
    }
    throw new Error(`Too many redirects, the last to ${visit.url.href}`)
  }

  return {
    open: async (address, { stopAt } = {}) => follow(await once(address, {}), stopAt),
    post: async (address, fields, from, { stopAt } = {}) => {
      const crossSite = new URL(from).host !== new URL(address).host
      const visit = await once(
        address,
        {
          method: "POST",
          body: new URLSearchParams(fields).toString(),
          headers: { "content-type": "application/x-www-form-urlencoded", origin: new URL(from).origin }
        },
        crossSite
      )
      return follow(visit, stopAt)
    },
    postJson: (address, body) =>
      once(address, {
        method: "POST",
        body: JSON.stringify(body),
        headers: { "content-type": "application/json", accept: "application/json" }
      }),
    cookies,
    forget: () => jars.clear()
  }
}
