/**
 * A double of Twilio: it takes messages and calls by the documented rules, reads the TwiML, presses keys, answers texts, and signs what
 * it posts with an implementation of its own.
 * @see https://www.twilio.com/docs/usage/webhooks/webhooks-security
 */
import { createHmac } from "node:crypto"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect } from "effect"
import { XMLParser, XMLValidator } from "fast-xml-parser"

export const accountSid = `AC${"0123456789abcdef".repeat(2)}`
export const token = "the-auth-token-of-the-account"
export const previousToken = "the-auth-token-before"
export const sharedKey = "the-secret-of-a-shared-key"

export interface Sent {
  readonly sid: string
  readonly resource: string
  readonly fields: Readonly<Record<string, string>>
}

export type Fields = Readonly<Record<string, string>>

/** How a request is signed; each part can be wrong. */
export interface Signing {
  readonly secret?: string
  readonly url?: string
  readonly settings?: string
  readonly algorithm?: "sha1" | "sha256"
}

/** The signature, from the words of the documentation: the address, then each parameter by its name, with nothing between them. */
export const signatureOf = (url: string, form: string, secret: string, algorithm = "sha1"): string => {
  const pairs = form === "" ? [] : form.split("&").map((pair) => pair.split("="))
  const decoded = pairs.map(([name, value]) =>
    [name!, value ?? ""].map((part) => decodeURIComponent(part.replaceAll("+", "%20")))
  )
  const names = [...new Set(decoded.map(([name]) => name!))]
  names.sort((one, other) =>
    Buffer.compare(Buffer.from(one, "utf16le").swap16(), Buffer.from(other, "utf16le").swap16())
  )
  let text = url
  for (const name of names)
    for (const value of [...new Set(decoded.filter(([own]) => own === name).map(([, own]) => own!))].sort())
      text += name + value
  return createHmac(algorithm, secret).update(Buffer.from(text, "utf8")).digest("base64")
}

const parser = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: "", isArray: (name) => name === "Say" })

/** What a call says, and where a key leads. */
export const heard = (twiml: string) => {
  if (XMLValidator.validate(twiml) !== true) throw new Error(`No XML: ${twiml}`)
  const { Response } = parser.parse(twiml)
  const gather = Response?.Gather
  const said: ReadonlyArray<{ readonly "#text": string; readonly language?: string }> = (gather ?? Response)?.Say ?? []
  return {
    words: said.map((one) => (typeof one === "string" ? one : one["#text"])),
    languages: said.map((one) => one.language),
    action: gather?.action as string | undefined,
    message: Response?.Message as string | undefined
  }
}

export const start = Effect.acquireRelease(
  Effect.promise(async () => {
    const sent: Array<Sent> = []
    const refusals = new Map<string, { readonly code: number; readonly message: string }>()
    const server = createServer((request, response) => {
      let body = ""
      request.setEncoding("utf8")
      request.on("data", (chunk) => (body += chunk))
      request.on("end", () => {
        const answer = (status: number, json: object) =>
          response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(json))
        const resource = request.url?.replace(`/2010-04-01/Accounts/${accountSid}/`, "").replace(".json", "") ?? ""
        const credentials = `Basic ${Buffer.from(`${accountSid}:${token}`).toString("base64")}`
        if (request.headers["authorization"] !== credentials)
          return answer(401, { code: 20003, message: "Authenticate", status: 401 })
        const fields = Object.fromEntries(new URLSearchParams(body))
        const refusal = refusals.get(fields["To"] ?? "")
        if (refusal !== undefined) return answer(400, { ...refusal, status: 400 })
        const number = String(sent.length).padStart(32, "0")
        const sid = resource.startsWith("Calls/") ? resource.slice(6) : `${resource === "Calls" ? "CA" : "SM"}${number}`
        sent.push({ sid, resource, fields })
        return answer(201, { sid, status: "queued" })
      })
    })
    await new Promise<void>((listening) => void server.listen(0, "127.0.0.1", listening))
    const { port } = server.address() as AddressInfo
    return { server, sent, refusals, base: `http://127.0.0.1:${port}` }
  }),
  ({ server }) => Effect.sync(() => void server.close())
)

/** A form as Twilio posts it: blanks and empty values included. */
export const formOf = (fields: Fields): string =>
  Object.entries({ AccountSid: accountSid, ApiVersion: "2010-04-01", ...fields })
    .map((pair) => pair.map((part) => encodeURIComponent(part).replaceAll("%20", "+")).join("="))
    .join("&")

/** Posts a form to an address of the installation, which answers elsewhere, and signs it for the public address. */
export const post = async (
  publicBase: string,
  localBase: string,
  url: string,
  fields: Fields,
  { algorithm = "sha1", secret = token, settings, url: signedUrl = url }: Signing = {}
) => {
  const form = formOf(fields)
  const answer = await fetch(url.replace(publicBase, localBase), {
    method: "POST",
    body: form,
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      "x-twilio-signature": signatureOf(signedUrl, form, secret, algorithm),
      ...(settings === undefined ? {} : { "x-twilio-webhooks-signature-settings": settings })
    }
  })
  return { status: answer.status, type: answer.headers.get("content-type"), body: await answer.text() }
}
