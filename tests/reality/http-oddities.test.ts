/**
 * Oddities of servers on the wire, each with the verdict of a check beside that of curl. Where they differ, the difference is
 * deliberate and says why. RFC 9110 and RFC 9112 let a recipient choose in most of them.
 */
import { assert, describe, it } from "@effect/vitest"
import * as PatientEvaluator from "@kanmon/testkit/PatientEvaluator"
import { CheckRunner } from "@kanmon/core/CheckRunner"
import * as NodeDialer from "@kanmon/core/NodeDialer"
import * as NodeResolver from "@kanmon/core/NodeResolver"
import * as Targets from "@kanmon/testkit/Targets"
import { Effect, Layer, Result } from "effect"
import * as Curl from "./Curl.ts"
import plugin from "../../plugins/check-http/src/index.ts"

/** What a client makes of a response: the body that it reads, or that it refuses the response. */
type Verdict = { readonly body: string } | "refused"

interface Oddity {
  readonly what: string
  /** The bytes of the response, of which each character is one; the connection closes behind them. */
  readonly sent: string
  readonly ours: Verdict
  /** Where curl differs: its verdict, and why ours is another. */
  readonly curl?: { readonly verdict: Verdict; readonly why: string }
}

const body = (text: string): Verdict => ({ body: text })
const hello = body("hello")
const response = (...lines: ReadonlyArray<string>): string => lines.join("\r\n")
/** A good response but for these header lines. */
const headers = (...lines: ReadonlyArray<string>): string =>
  response("HTTP/1.1 200 OK", ...lines, "content-length: 5", "", "hello, and what belongs to nothing")
const chunked = (...lines: ReadonlyArray<string>): string =>
  response("HTTP/1.1 200 OK", "transfer-encoding: chunked", "", ...lines)
const unframed = (...lines: ReadonlyArray<string>): string => response(...lines, "", "hello")

const oddities: ReadonlyArray<Oddity> = [
  // Status line: RFC 9112, sections 2.2, 2.3 and 4.
  { what: "an ordinary response", sent: headers(), ours: hello },
  { what: "no reason, and no space for one", sent: unframed("HTTP/1.1 200"), ours: hello },
  { what: "an empty reason", sent: unframed("HTTP/1.1 200 "), ours: hello },
  {
    what: "tabs in the status line",
    sent: unframed("HTTP/1.1\t200\tOK"),
    ours: hello,
    curl: { verdict: "refused", why: "RFC 9112, section 4, lets a recipient read words that any white space separates" }
  },
  { what: "several spaces in the status line", sent: unframed("HTTP/1.1   200   OK"), ours: hello },
  { what: "blanks behind the reason", sent: unframed("HTTP/1.1 200 OK \t "), ours: hello },
  {
    what: "blanks before the status line",
    sent: unframed("  HTTP/1.1 200 OK"),
    ours: hello,
    curl: { verdict: "refused", why: "RFC 9112, section 4, lets a recipient ignore white space before the line" }
  },
  {
    what: "an empty line before the status line",
    sent: `\r\n${headers()}`,
    ours: hello,
    curl: { verdict: "refused", why: "some servers send one, and browsers skip it" }
  },
  { what: "a reason that is not ASCII", sent: unframed("HTTP/1.1 200 \xc3\xa4\xe4"), ours: hello },
  { what: "HTTP/1.0", sent: unframed("HTTP/1.0 200 OK"), ours: hello },
  {
    what: "a higher minor version",
    sent: unframed("HTTP/1.7 200 OK"),
    ours: hello,
    curl: { verdict: "refused", why: "RFC 9110, section 2.5, asks to process it as HTTP/1.1" }
  },
  { what: "HTTP/2.0 in a status line of HTTP/1", sent: unframed("HTTP/2.0 200 OK"), ours: hello },
  { what: "HTTP/3.0 in a status line of HTTP/1", sent: unframed("HTTP/3.0 200 OK"), ours: "refused" },
  { what: "a version without a minor one", sent: unframed("HTTP/1 200 OK"), ours: "refused" },
  {
    what: "a version in lower case",
    sent: unframed("http/1.1 200 OK"),
    ours: "refused",
    curl: { verdict: hello, why: "RFC 9112, section 2.3: the name is case-sensitive, and other clients refuse it" }
  },
  { what: "a status of two digits", sent: unframed("HTTP/1.1 20 OK"), ours: "refused" },
  { what: "a status of four digits", sent: unframed("HTTP/1.1 2000 OK"), ours: "refused" },
  { what: "a status that begins with 0", sent: unframed("HTTP/1.1 020 OK"), ours: "refused" },
  {
    what: "a status that runs into the reason",
    sent: unframed("HTTP/1.1 200OK"),
    ours: "refused",
    curl: { verdict: hello, why: "RFC 9112, section 4, separates them by a space" }
  },
  { what: "the status line of SHOUTcast", sent: unframed("ICY 200 OK"), ours: "refused" },
  { what: "another protocol", sent: "SSH-2.0-OpenSSH_9.9\r\n", ours: "refused" },
  { what: "a body alone, as HTTP/0.9 has it", sent: "hello", ours: "refused" },
  // Ends of lines: section 2.2.
  { what: "lines that end with LF", sent: "HTTP/1.1 200 OK\ncontent-length: 5\n\nhello", ours: hello },
  { what: "lines that end with LF and with CRLF", sent: "HTTP/1.1 200 OK\ncontent-length: 5\r\n\nhello", ours: hello },
  { what: "lines that end with two CR", sent: headers("x: y\r"), ours: hello },
  { what: "a CR within a value", sent: headers("x: y\rz: 1"), ours: hello },
  // Fields: sections 5.1 and 5.2, RFC 9110, section 5.5.
  { what: "no space behind the colon", sent: headers("x:y"), ours: hello },
  { what: "a space before the colon", sent: headers("x : y"), ours: hello },
  { what: "an empty value", sent: headers("x:"), ours: hello },
  { what: "a folded value", sent: headers("x: y", "  z"), ours: hello },
  { what: "a value folded by a tab", sent: headers("x: y", "\tz"), ours: hello },
  {
    what: "a folded line before the first field",
    sent: headers(" x: y"),
    ours: hello,
    curl: { verdict: "refused", why: "RFC 9112, section 2.2, lets a recipient skip such a line" }
  },
  { what: "a line of blanks between fields", sent: headers("x: y", "   "), ours: hello },
  { what: "a control character in a value", sent: headers("x: a\x01b"), ours: hello },
  { what: "NUL in a value", sent: headers("x: a\0b"), ours: "refused" },
  { what: "a value that is not ASCII", sent: headers("x: \xc3\xbc\xfc"), ours: hello },
  { what: "a name that is no token", sent: headers("x(y): z"), ours: hello },
  { what: "a name with a space", sent: headers("x y: z"), ours: hello },
  { what: "a line without a colon", sent: headers("just words"), ours: "refused" },
  {
    what: "a line without a name",
    sent: headers(": value"),
    ours: "refused",
    curl: { verdict: hello, why: "it is no field, and a person should look at the server" }
  },
  // Lengths: section 6.3, RFC 9110, section 8.6.
  { what: "the same length twice", sent: headers("content-length: 5"), ours: hello },
  { what: "the same length twice in a line", sent: unframed("HTTP/1.1 200 OK", "content-length: 5, 5"), ours: hello },
  {
    what: "two lengths",
    sent: headers("content-length: 4"),
    ours: "refused",
    curl: { verdict: hello, why: "RFC 9112, section 6.3: where the body ends is not known; curl takes the last length" }
  },
  { what: "a length with zeros before it", sent: unframed("HTTP/1.1 200 OK", "content-length: 0005"), ours: hello },
  {
    what: "a length with a sign",
    sent: unframed("HTTP/1.1 200 OK", "content-length: +5"),
    ours: "refused",
    curl: { verdict: hello, why: "RFC 9110, section 8.6, has digits alone" }
  },
  { what: "a negative length", sent: unframed("HTTP/1.1 200 OK", "content-length: -5"), ours: "refused" },
  { what: "a length that is no number", sent: unframed("HTTP/1.1 200 OK", "content-length: five"), ours: "refused" },
  { what: "an empty length", sent: unframed("HTTP/1.1 200 OK", "content-length:"), ours: "refused" },
  {
    what: "a length with a unit",
    sent: unframed("HTTP/1.1 200 OK", "content-length: 5 bytes"),
    ours: "refused",
    curl: { verdict: hello, why: "RFC 9110, section 8.6, has digits alone" }
  },
  { what: "fewer bytes than announced", sent: unframed("HTTP/1.1 200 OK", "content-length: 6"), ours: "refused" },
  { what: "a body with 204", sent: unframed("HTTP/1.1 204 No Content", "content-length: 5"), ours: body("") },
  {
    what: "a length beyond all numbers",
    sent: unframed("HTTP/1.1 200 OK", `content-length: ${"9".repeat(30)}`),
    ours: "refused",
    curl: { verdict: hello, why: "fewer bytes come than are announced; curl ignores what it cannot count" }
  },
  { what: "a body with 205", sent: unframed("HTTP/1.1 205 Reset Content", "content-length: 5"), ours: hello },
  { what: "a body with 304", sent: unframed("HTTP/1.1 304 Not Modified", "content-length: 5"), ours: body("") },
  // Chunks: sections 6.1 and 7.1.
  {
    what: "a transfer coding in other letters",
    sent: chunked("5", "hello", "0", "", "").replace("chunked", "ChunKED"),
    ours: hello
  },
  {
    what: "an empty element in the transfer codings",
    sent: chunked("5", "hello", "0", "", "").replace("chunked", ", chunked"),
    ours: hello
  },
  {
    what: "a size of a chunk beyond all numbers",
    sent: chunked("F".repeat(30), "hello", "0", "", ""),
    ours: "refused"
  },
  { what: "chunks", sent: chunked("5", "hello", "0", "", ""), ours: hello },
  {
    what: "a length beside chunks",
    sent: headers("transfer-encoding: chunked").replace("hello, and", "5\r\nhello\r\n0\r\n\r\n"),
    ours: hello
  },
  { what: "chunks in HTTP/1.0", sent: chunked("5", "hello", "0", "", "").replace("/1.1", "/1.0"), ours: hello },
  {
    what: "Transfer-Encoding: identity beside a length",
    sent: headers("transfer-encoding: identity"),
    ours: hello,
    curl: {
      verdict: body("hello, and what belongs to nothing"),
      why: "identity encodes nothing, so the length counts; curl reads until the connection closes"
    }
  },
  { what: "an unknown transfer coding", sent: unframed("HTTP/1.1 200 OK", "transfer-encoding: odd"), ours: "refused" },
  { what: "blanks behind the size of a chunk", sent: chunked("5 \t", "hello", "0 ", "", ""), ours: hello },
  { what: "an extension of a chunk", sent: chunked('5 ; a="b;"', "hello", "0;x", "", ""), ours: hello },
  { what: "zeros before the size of a chunk", sent: chunked("0005", "hello", "000", "", ""), ours: hello },
  { what: "a size of a chunk with 0x", sent: chunked("0x5", "hello", "0", "", ""), ours: "refused" },
  { what: "a size of a chunk that is no number", sent: chunked("five", "hello", "0", "", ""), ours: "refused" },
  { what: "a chunk longer than its size", sent: chunked("5", "hello!", "0", "", ""), ours: "refused" },
  { what: "chunks whose lines end with LF", sent: chunked("5\nhello\n0\n\n"), ours: hello },
  { what: "trailers", sent: chunked("5", "hello", "0", "x: y", "", ""), ours: hello },
  { what: "chunks that break off", sent: chunked("5", "hello", ""), ours: "refused" },
  { what: "chunks without the last empty line", sent: chunked("5", "hello", "0", ""), ours: "refused" },
  // Interim responses: RFC 9110, section 15.2.
  { what: "a 100 that was not asked for", sent: `HTTP/1.1 100 Continue\r\n\r\n${headers()}`, ours: hello },
  { what: "a 103 with headers", sent: `HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n${headers()}`, ours: hello },
  { what: "an unknown interim response", sent: `HTTP/1.1 199 Odd\r\n\r\n${headers()}`, ours: hello },
  {
    what: "a 101 that was not asked for",
    sent: `HTTP/1.1 101 Switching Protocols\r\n\r\n${headers()}`,
    ours: "refused",
    curl: {
      verdict: body(headers()),
      why: "what follows is in a protocol that was not asked for; curl takes it for the body"
    }
  },
  // Redirects: RFC 9110, section 10.2.2.
  { what: "a redirect without a Location", sent: unframed("HTTP/1.1 302 Found", "content-length: 5"), ours: hello },
  {
    what: "a redirect with an empty Location",
    sent: unframed("HTTP/1.1 302 Found", "location:", "content-length: 5"),
    ours: "refused",
    curl: { verdict: hello, why: "browsers get stuck at it; curl shows the body of the redirect" }
  },
  // Codings: RFC 9110, section 8.4.1.
  ...["none", "identity"].map((coding) => ({
    what: `Content-Encoding: ${coding}`,
    sent: headers(`content-encoding: ${coding}`),
    ours: hello
  })),
  ...["utf-8", "binary", "aws-chunked"].map((coding) => ({
    what: `Content-Encoding: ${coding}`,
    sent: headers(`content-encoding: ${coding}`),
    ours: hello,
    curl: { verdict: "refused" as const, why: "it names no coding, and the body is not encoded; browsers show it" }
  }))
]

const serve = (sent: string) =>
  Targets.tcp((socket) => {
    socket.once("data", () => socket.end(Buffer.from(sent, "latin1")))
  })

const check = plugin.checks[0]!
const network = NodeDialer.layer({ allowPrivate: true }).pipe(
  Layer.provideMerge(NodeResolver.layer({ allowPrivate: true }))
)
const runner = CheckRunner.layer({ region: "test-lab", concurrency: 10, hostConcurrency: 10 }).pipe(
  Layer.provide([PatientEvaluator.layer, network])
)

/** A check accepts a response when it reads exactly this body from it. */
const oursIs = (port: number, verdict: Verdict) =>
  Effect.gen(function* () {
    const { run } = yield* CheckRunner
    // A pattern for the whole body tells an empty one from a longer one.
    const bodyMatches = verdict === "refused" ? "(?s)^.*$" : `(?s)^${verdict.body}$`
    const config = { url: `http://127.0.0.1:${port}/`, expectedStatus: "200-399", bodyMatches }
    return yield* run(Result.getOrThrow(check.prepare(config)), 60_000, 60_000)
  }).pipe(Effect.provide(runner))

/** What curl makes of it. */
const curl = (port: number): Effect.Effect<Verdict> =>
  Effect.map(Curl.page(`http://127.0.0.1:${port}/`), (output) => (output === undefined ? "refused" : body(output)))

describe("a response with", () => {
  it.live.each(oddities)("$what is read as described", ({ curl: differing, ours, sent, what }) =>
    Effect.gen(function* () {
      const { port } = yield* serve(sent)
      const { failure, status } = yield* oursIs(port, ours)
      assert.strictEqual(
        status === "up" ? "accepted" : "refused",
        ours === "refused" ? "refused" : "accepted",
        `${what}: ${JSON.stringify(failure)}`
      )
      if (!(yield* Curl.isKnown)) return yield* Curl.isNotKnown
      assert.deepStrictEqual(yield* curl(port), differing?.verdict ?? ours, `curl reads ${what} in another way`)
    }).pipe(Effect.scoped)
  )
})
