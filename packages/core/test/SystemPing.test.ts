import * as fs from "node:fs/promises"
import * as os from "node:os"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { command, failureOf, find, parse, run } from "../src/internal/SystemPing.ts"

const iputils = `PING 192.0.2.1 (192.0.2.1) 56(84) bytes of data.
64 bytes from 192.0.2.1: icmp_seq=1 ttl=57 time=10.5 ms
64 bytes from 192.0.2.1: icmp_seq=1 ttl=57 time=10.9 ms (DUP!)
From 192.0.2.254 icmp_seq=2 Destination Host Unreachable
64 bytes from 192.0.2.1: icmp_seq=3 ttl=57 time=12 ms

--- 192.0.2.1 ping statistics ---
3 packets transmitted, 2 received, +1 duplicates, +1 errors, 33.3333% packet loss, time 2003ms
rtt min/avg/max/mdev = 10.500/11.133/12.000/0.634 ms
`
const busybox = `PING ::1 (::1): 56 data bytes
64 bytes from ::1: seq=0 ttl=64 time=0.074 ms
64 bytes from ::1: seq=1 ttl=64 time=0.080 ms

--- ::1 ping statistics ---
2 packets transmitted, 2 packets received, 0% packet loss
round-trip min/avg/max = 0.074/0.077/0.080 ms
`
const mac = `PING 192.0.2.1 (192.0.2.1): 56 data bytes
Request timeout for icmp_seq 0
64 bytes from 192.0.2.1: icmp_seq=1 ttl=57 time=9.127 ms

--- 192.0.2.1 ping statistics ---
2 packets transmitted, 1 packets received, 50.0% packet loss
round-trip min/avg/max/stddev = 9.127/9.127/9.127/0.000 ms
`

describe("the output of ping", () => {
  it.each([
    ["iputils", iputils, { sent: 3, received: 2, times: [10.5, 12] }],
    ["BusyBox", busybox, { sent: 2, received: 2, times: [0.074, 0.08] }],
    ["macOS", mac, { sent: 2, received: 1, times: [9.127] }],
    [
      "a host that does not answer",
      "--- 10.0.0.1 ping statistics ---\n3 packets transmitted, 0 received, 100% packet loss, time 2050ms\n",
      { sent: 3, received: 0, times: [] }
    ]
  ])("of %s is read", (_name, output, expected) => assert.deepStrictEqual(parse(output), expected))

  it("is never read as more replies than requests, for any output", () => {
    const line = fc.oneof(fc.string(), fc.constantFrom(...`${iputils}${busybox}${mac}`.split("\n")))
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const report = parse(lines.join("\n"))
        if (report === undefined) return
        assert.isAtMost(report.received, report.sent)
        assert.isAtMost(report.times.length, report.sent)
      })
    )
    assert.isUndefined(parse(""))
    assert.isUndefined(parse("ping: socket: Operation not permitted"))
  })
})

describe("the command", () => {
  const request = { count: 3, size: 56 }

  it("passes the address as its last argument", () => {
    const v4 = { address: "192.0.2.1", family: 4 as const }
    const v6 = { address: "2001:db8::1", family: 6 as const }
    assert.deepStrictEqual(command(v4, request, "linux"), [
      "ping",
      ["-n", "-c", "3", "-s", "56", "-W", "2", "192.0.2.1"]
    ])
    assert.deepStrictEqual(command(v6, request, "linux")[1].at(-1), "2001:db8::1")
    assert.deepStrictEqual(command(v4, request, "darwin")[1].slice(5), ["-W", "2000", "192.0.2.1"])
    assert.deepStrictEqual(command(v6, request, "darwin"), ["ping6", ["-n", "-c", "3", "-s", "56", "2001:db8::1"]])
  })

  it.each([
    ["ENOENT", "", "ping_unavailable", "no ping program"],
    ["2", "ping: socktype: SOCK_RAW\nping: socket: Operation not permitted", "ping_unavailable", "may not send ICMP"],
    ["1", "ping: permission denied (are you root?)", "ping_unavailable", "cap_net_raw"],
    ["EPERM", "", "ping_unavailable", "ping_group_range"],
    ["2", "ping: connect: Network is unreachable", "egress_unavailable", "no route"],
    ["64", "ping: invalid option -- 'W'\u001b[31m", "ping_unavailable", "invalid option"]
  ])("that fails with %s %j is %s", (code, errors, reason, words) => {
    const failure = failureOf(code, errors)
    assert.strictEqual(failure.reason, reason)
    assert.include(failure.message, words)
    assert.match(failure.message, /^\P{Cc}+$/u)
  })

  it("is found where it may be run", async () => {
    const folder = await fs.mkdtemp(path.join(os.tmpdir(), "kanmon-ping-"))
    try {
      const file = path.join(folder, "ping")
      await fs.writeFile(file, "", { mode: 0o600 })
      assert.isUndefined(await Effect.runPromise(find(`/nowhere:${folder}`)))
      await fs.chmod(file, 0o700)
      assert.strictEqual(await Effect.runPromise(find(`/nowhere:${folder}`)), file)
    } finally {
      await fs.rm(folder, { recursive: true })
    }
  })

  it.effect("is unavailable, and no defect, where it cannot be started at all", () =>
    Effect.gen(function* () {
      // No program gets an argument with such a character: the start itself is refused, as by a kernel.
      const address = { address: "127.0.0.1\0", family: 4 } as const
      const failed = yield* Effect.flip(run(address, { count: 1, size: 56 }))
      assert.strictEqual(failed.reason, "ping_unavailable")
    })
  )
})
