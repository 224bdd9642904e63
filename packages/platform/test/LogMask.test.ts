import { assert, describe, it } from "@effect/vitest"
import { mask } from "@kanmon/platform/LogMask"

const length = 200_000

/** As those of integrations are. */
const token = "4kq0Jc2VtXr9YwLz1nGm7sBpEaUdHf3iKoQ6vRxTyZ5"

/** Shapes that make an expression with two ways to read a text try all of them. */
const shapes = [
  "a.",
  "a",
  "a://",
  "://",
  "//",
  "km_",
  "bearer ",
  "password",
  "password: ",
  "token=\\",
  "/heartbeat/",
  "/inbound/",
  '"',
  "\\",
  "=",
  "A"
]

describe("LogMask", () => {
  it.each([
    ["postgres://ada:pin@db.example/kanmon", "postgres://••••@db.example/kanmon"],
    ["a.b.c+d://ada:pin@host", "a.b.c+d://••••@host"],
    ["km_0123456789abcdef", "km_••••"],
    ["kmo_0123456789abcdef", "kmo_••••"],
    [`Bearer abc.def`, "Bearer ••••"],
    [`{"password":"pin"}`, `{"password":"••••"}`],
    // A token is masked whole and cut short, in addresses and on its own.
    [`POST /api/v1/inbound/${token} 200`, "POST /api/v1/inbound/•••• 200"],
    ["POST /api/v1/inbound/cut-short?x=1 404", "POST /api/v1/inbound/••••?x=1 404"],
    [`no integration has ${token}`, "no integration has ••••"],
    ["GET /calendars/some-token.ics 200", "GET /calendars/•••• 200"],
    ["GET /acknowledgements/01h.tk.code 200", "GET /acknowledgements/•••• 200"]
  ])("masks %s", (text, masked) => {
    assert.strictEqual(mask(text), masked)
  })

  it.each(shapes)("reads a long repetition of %j in time that grows with its length alone", (shape) => {
    for (const end of ["", " x", "\n", '"']) {
      const text = shape.repeat(length / shape.length) + end
      const before = process.threadCpuUsage()
      mask(text)
      const { system, user } = process.threadCpuUsage(before)
      // Some milliseconds; an expression of quadratic cost takes tens of seconds.
      assert.isBelow((system + user) / 1e6, 2, `${shape}…${end}`)
    }
  })
})
