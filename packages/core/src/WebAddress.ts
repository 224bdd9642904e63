/** URLs that users enter for Kanmon to call: complete http(s) URLs, without parts that cannot be sent. */
import { filteredText } from "@kanmon/domain/BoundedText"

const problem = (text: string): string | undefined => {
  // The parser tolerates missing slashes, spaces and line breaks; users could not tell what is called then.
  if (/^[a-z][a-z0-9+.-]*:/i.test(text) && !/^https?:/i.test(text))
    return "Expected a URL that starts with https:// or http://"
  if (!/^https?:\/\/[^\s/\\][^\s\\]*$/i.test(text) || !URL.canParse(text))
    return "Expected a full URL such as https://example.com/path"
  const url = new URL(text)
  if (url.hash !== "") return "Expected a URL without a #fragment"
  return undefined
}

/** A full http or https URL. {@link basicAuth} sends its username and password as Basic authentication. */
export const WebAddress = filteredText(2048, problem, {
  toJsonSchema: () => ({ format: "uri", maxLength: 2048 })
}).annotate({
  description: "Full http or https URL",
  format: "uri"
})

/** The `authorization` header for credentials in a URL, and the URL without them. */
export const basicAuth = (
  address: string
): { readonly url: URL; readonly headers: Readonly<Record<string, string>> } => {
  const url = new URL(address)
  if (url.username === "" && url.password === "") return { url, headers: {} }
  const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
  url.username = ""
  url.password = ""
  return { url, headers: { authorization: `Basic ${Buffer.from(credentials).toString("base64")}` } }
}
