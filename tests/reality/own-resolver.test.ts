/** This machine's own resolver, as `/etc/resolv.conf` and `/etc/hosts` set it up: search domains, and a name server on port 53. */
import { execFile, spawnSync } from "node:child_process"
import * as path from "node:path"
import { promisify } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Folder from "../support/Folder.ts"

const usable = spawnSync("unshare", ["-rnm", "ip", "link", "set", "lo", "up"]).status === 0
const note = usable ? "" : " (skipped: no network of its own can be made)"

const child = path.join(import.meta.dirname, "OwnResolver.ts")

/** The checks of these hosts, and the questions at port 53. */
const checked = (
  resolv: string,
  hosts: string,
  names: ReadonlyArray<string>,
  env: Readonly<Record<string, string>> = {}
) =>
  Effect.gen(function* () {
    const folder = yield* Folder.make({ "resolv.conf": resolv, hosts })
    const script = [
      "ip link set lo up",
      `mount --bind ${folder}/resolv.conf /etc/resolv.conf`,
      `mount --bind ${folder}/hosts /etc/hosts`,
      // Nothing leaves this network: nothing has to be refused in it.
      `NODE_OPTIONS= exec "$0" "$@"`
    ].join(" && ")
    const { stdout } = yield* Effect.promise(() =>
      promisify(execFile)("unshare", ["-rnm", "sh", "-c", script, process.execPath, child, ...names], {
        env: { ...process.env, ...env }
      })
    )
    const lines = stdout.trim().split("\n")
    const questions: ReadonlyArray<string> = JSON.parse(lines.at(-1)!)
    const results = lines.slice(0, -1).map((line) => JSON.parse(line))
    return { questions, results }
  })

const up = (host: string) => ({ host, status: "up", code: null, address: "127.0.0.1" })

describe.skipIf(!usable)(`the machine's own resolver${note}`, () => {
  it.live("finds names by search domains, in their order, and whole names by themselves", () =>
    Effect.gen(function* () {
      const { questions, results } = yield* checked(
        "nameserver 127.0.0.1\nsearch corp.example office.example\n",
        "127.0.0.1 localhost\n",
        ["db", "wiki", "api.db", "dotted.corp", "db.corp.example", "nothing"]
      )
      assert.deepStrictEqual(results.slice(0, 5), ["db", "wiki", "api.db", "dotted.corp", "db.corp.example"].map(up))
      assert.deepInclude(results[5], { status: "down", code: "dns_nxdomain" })
      assert.include(questions, "A db.corp.example")
      assert.isBelow(questions.indexOf("A wiki.corp.example"), questions.indexOf("A wiki.office.example"))
    }).pipe(Effect.scoped)
  )

  it.live("takes the hosts file before the name server", () =>
    Effect.gen(function* () {
      const { questions, results } = yield* checked(
        "nameserver 127.0.0.1\nsearch corp.example\n",
        "127.0.0.1 localhost\n127.0.0.1 printer printer.lan # in the hall\n",
        ["printer", "printer.lan"]
      )
      assert.deepStrictEqual(results, ["printer", "printer.lan"].map(up))
      assert.notInclude(questions.join(), "printer")
    }).pipe(Effect.scoped)
  )

  it.live("is asked for the names of its hosts file alone, beside a name server of the operator", () =>
    Effect.gen(function* () {
      // This machine's own name server does not answer, and its search domain would make `db` a name.
      const resolv = "nameserver 127.0.0.2\nsearch corp.example\n"
      const hosts = "127.0.0.1 localhost\n127.0.0.1 printer printer.lan # in the hall\n127.0.0.1\tDB.office.example\n"
      const names = ["printer", "printer.lan", "db.office.example", "db.corp.example", "db", "nothing.lan"]
      const ours = { KANMON_DNS_RESOLVER: "127.0.0.1:53" }
      const { questions, results } = yield* checked(resolv, hosts, names, ours)
      assert.deepStrictEqual(results.slice(0, 4), names.slice(0, 4).map(up))
      for (const result of results.slice(4)) assert.deepInclude(result, { status: "down", code: "dns_nxdomain" })
      assert.notMatch(questions.join(), /printer|office/)
      assert.includeMembers([...questions], ["A db.corp.example", "A db", "A nothing.lan"])
      // An entry is no way around the policy.
      const refused = yield* checked(resolv, hosts, ["printer"], { ...ours, ALLOW_PRIVATE: "no" })
      assert.deepInclude(refused.results[0], { code: "address_refused" })
    }).pipe(Effect.scoped)
  )

  it.live("is itself to blame when it does not answer, and not the target", () =>
    Effect.gen(function* () {
      const { results } = yield* checked("nameserver 127.0.0.2\n", "127.0.0.1 localhost\n", ["db.corp.example"])
      assert.deepInclude(results[0], { status: "unknown", code: "egress_unavailable" })
      const broken = yield* checked("nameserver 127.0.0.1\nsearch corp.example\n", "127.0.0.1 localhost\n", ["broken"])
      assert.strictEqual(broken.results[0].status, "down")
    }).pipe(Effect.scoped)
  )
})
