import { assert, describe, it } from "@effect/vitest"
import * as Greeting from "../../src/cli/Greeting.ts"

const first: Greeting.Ready = {
  version: "0.1.0",
  roles: ["api", "engine", "probe"],
  region: "eu-west",
  baseUrl: "http://127.0.0.1:3000",
  database: "embedded PostgreSQL 18.4",
  bus: "embedded NATS 2.9.10 on port 21234",
  localAccess: { address: "nats://127.0.0.1:21234", tokenFile: "/data/nats/token" },
  ownBus: true,
  signUp: "open",
  hasAccounts: false,
  hasChannels: false,
  setupCode: "bcde-fgh2-jkm3",
  namedAdmins: 0,
  unprovenAdmins: [],
  sendsMail: false,
  webhooksDisabled: false
}
const text = (more: Partial<Greeting.Ready> = {}): string => Greeting.lines({ ...first, ...more }).join("\n")

describe("the first screen", () => {
  it("shows the whole of a first start", () => {
    assert.strictEqual(
      text(),
      [
        "  Kanmon 0.1.0 (api, engine, probe in eu-west)",
        "  open      http://127.0.0.1:3000 in a browser",
        "  database  embedded PostgreSQL 18.4",
        "  bus       embedded NATS 2.9.10 on port 21234",
        "            NATS_URL=nats://127.0.0.1:21234 NATS_TOKEN=$(cat /data/nats/token)",
        "  docs      http://127.0.0.1:3000/api/v1/docs",
        "",
        "  Next: open the address above and create your account.",
        "  The first account becomes the administrator on this machine, or with the setup code bcde-fgh2-jkm3."
      ].join("\n")
    )
  })

  it("says how addresses of KANMON_ADMIN_EMAILS become admins", () => {
    assert.include(text({ namedAdmins: 1 }), "sign up, then run kanmon admin grant <email>")
    assert.notInclude(text({ namedAdmins: 1, sendsMail: true }), "kanmon admin grant")
    const unproven = { namedAdmins: 1, unprovenAdmins: ["boss@example.org"] }
    assert.include(text(unproven), "boss@example.org is not an admin")
    assert.include(text(unproven), "run kanmon admin grant boss@example.org.")
    assert.include(text({ ...unproven, sendsMail: true }), "follow the link in its mail, or run kanmon admin grant")
  })

  it("names the one next step, and none when nothing is left to do", () => {
    assert.notInclude(text({ hasAccounts: true }), "create your account")
    assert.include(text({ hasAccounts: true }), "No channel exists yet")
    const steps: ReadonlyArray<Partial<Greeting.Ready>> = [{ hasAccounts: true }, { signUp: "closed" }]
    for (const step of steps) assert.match(text(step), /\n\n {2}\S[^\n]*$/, "indented like the lines above it")
    assert.isFalse(text({ hasAccounts: true, hasChannels: true }).includes("\n\n"))
    assert.include(text({ signUp: "closed" }), "KANMON_SIGNUP=open")
  })

  it("says that other processes cannot join a bus of its own", () => {
    assert.include(text({ roles: ["api"] }), "NATS_URL is not set")
    assert.notInclude(text({ roles: ["api"], ownBus: false }), "NATS_URL is not set")
  })

  it("leaves out the API where this process does not serve it", () => {
    assert.notInclude(text({ roles: ["engine"] }), "docs")
  })

  it("writes a command that a shell can read, for any name of the directory", () => {
    const tokenFile = "/home/ada's data/token"
    assert.include(
      text({ localAccess: { address: "nats://127.0.0.1:1", tokenFile } }),
      String.raw`$(cat '/home/ada'\''s data/token')`
    )
  })
})

it("is JSON lines in the shape of the log for a program, without empty ones", () => {
  const lines = Greeting.jsonLines(
    ["  Kanmon 1", "  open      http://x in a browser", "", "  Next."],
    "2026-11-28T00:00:00Z"
  )
  assert.deepStrictEqual(
    lines.map((line) => JSON.parse(line).message),
    ["Kanmon 1", "open http://x in a browser", "Next."]
  )
})
