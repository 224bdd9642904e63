/**
 * ICMP echo requests through the system's `ping`: Node has neither raw nor ping sockets. The program gets an address that
 * the policy has checked, as one argument and without a shell. Its output is read for iputils, BusyBox, and macOS and BSD.
 */
import { execFile } from "node:child_process"
import { constants } from "node:fs"
import * as fs from "node:fs/promises"
import { type Reason, reason as why } from "@kanmon/domain/Reason"
import { Effect } from "effect"
import { DialFailed } from "../Dialer.ts"
import type { Address } from "./Connect.ts"

/** The report of a `ping`. */
export interface Report {
  readonly sent: number
  readonly received: number
  /** Milliseconds of each reply, in order. */
  readonly times: ReadonlyArray<number>
}

export interface EchoRequest {
  readonly count: number
  /** Bytes of payload. */
  readonly size: number
}

/** Seconds that `ping` waits for the last reply. */
const lastReplySeconds = 2
const maxOutput = 64 * 1024

/** Where `ping` is; the host's own PATH may be shorter than a login's. */
export const searchPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

/** The file of `ping` in one of these folders; undefined where there is none that may be run. */
export const find = (folders: string): Effect.Effect<string | undefined> =>
  Effect.promise(async () => {
    for (const folder of folders.split(":")) {
      const file = `${folder}/ping`
      const isExecutable = await fs.access(file, constants.X_OK).then(
        () => true,
        () => false
      )
      if (isExecutable) return file
    }
    return undefined
  })

/** Program and arguments. Only options that all implementations know; they send one request a second. */
export const command = (
  { address, family }: Address,
  { count, size }: EchoRequest,
  platform: string
): readonly [file: string, args: ReadonlyArray<string>] => {
  const isMac = platform === "darwin"
  const options = ["-n", "-c", String(count), "-s", String(size)]
  if (isMac && family === 6) return ["ping6", [...options, address]]
  return ["ping", [...options, "-W", String(isMac ? lastReplySeconds * 1000 : lastReplySeconds), address]]
}

/** Reads the output; undefined without a summary. Duplicate replies do not count. */
export const parse = (output: string): Report | undefined => {
  const summary = /(\d{1,9}) packets transmitted, (\d{1,9}) (?:packets )?received/.exec(output)
  if (summary === null) return undefined
  const times = output
    .split("\n")
    .filter((line) => !line.includes("DUP!"))
    .flatMap((line) => {
      const time = /seq[= ]\d.*?\btime[=<](\d{1,9}(?:\.\d{1,9})?) ?ms/.exec(line.slice(0, 500))
      return time === null ? [] : [Number(time[1])]
    })
  const sent = Number(summary[1])
  return { sent, received: Math.min(sent, Number(summary[2]), times.length), times: times.slice(0, sent) }
}

/** Why `ping` did not run, from what it wrote on its standard error. */
export const failureOf = (code: string, errors: string): DialFailed => {
  const failed = (words: Reason, reason: DialFailed["reason"] = "ping_unavailable") =>
    new DialFailed({ reason, ...words, cause: code, timing: {} })
  if (code === "ENOENT") return failed(why("ping_missing", {}))
  if (/not permitted|permission denied|are you root|cap_net_raw/i.test(errors) || code === "EACCES" || code === "EPERM")
    return failed(why("ping_forbidden", {}))
  if (/unreachable|no route|address family not supported|can't assign|cannot assign/i.test(errors))
    return failed(why("no_route_to_target", {}), "egress_unavailable")
  const said =
    errors
      .trim()
      .split("\n")[0]
      ?.slice(0, 200)
      .replaceAll(/\p{Cc}/gu, " ") ?? ""
  return failed(
    said === ""
      ? why("ping_failed", { output: "code", cause: code })
      : why("ping_failed", { output: "said", text: said })
  )
}

/** Runs `ping`; interruption kills it. */
export const run = (address: Address, request: EchoRequest): Effect.Effect<Report, DialFailed> =>
  Effect.callback<Report, DialFailed>((resume) => {
    const [file, args] = command(address, request, process.platform)
    const options = { env: { LC_ALL: "C", PATH: searchPath }, maxBuffer: maxOutput, encoding: "utf8" as const }
    const start = () =>
      execFile(file, [...args], options, (error, output, errors) => {
        const report = parse(output)
        // Without a reply the exit code is not 0, and the summary says all. A summary without a request comes after an error.
        if (report !== undefined && (report.sent > 0 || error === null)) return resume(Effect.succeed(report))
        resume(Effect.fail(failureOf(String(error?.code ?? "no summary"), `${errors}\n${output}`)))
      })
    try {
      const child = start()
      return Effect.sync(() => void child.kill("SIGKILL"))
    } catch (error) {
      // Node throws where the kernel refuses: EPERM for a file capability that the container excludes.
      return resume(Effect.fail(failureOf((error as NodeJS.ErrnoException).code ?? "not started", "")))
    }
  })
