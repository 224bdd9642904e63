/**
 * Measures sign-ins with passwords, twenty a second. Hashing a password costs what it costs on this machine, so that is
 * measured first; and requests that hash nothing must not wait for it.
 */
import { NewHashCost } from "@kanmon/identity/testing/accounts/better-auth/PasswordHash.ts"
import * as Passwords from "@kanmon/identity/testing/accounts/better-auth/Passwords.ts"
import { Effect } from "effect"
import { post, sleep } from "./Api.ts"
import type { Figures } from "./Figures.ts"
import { heading, row, tenths } from "./report.ts"
import type { Server } from "./Server.ts"

const perSecond = 20
const seconds = 20
const people = 40
const password = "correct horse battery"
const passwords = Passwords.make(Effect.runSync(NewHashCost))

const percentile = (times: ReadonlyArray<number>, part: number): number => {
  const sorted = times.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]!
}

const shown = (times: ReadonlyArray<number>): string =>
  `${tenths(percentile(times, 0.5))} / ${tenths(percentile(times, 0.99))} ms`

const timed = async (use: () => Promise<unknown>): Promise<number> => {
  const began = performance.now()
  await use()
  return performance.now() - began
}

/** Calls at a fixed rate, however long the answers take. */
const atRate = async (rate: number, count: number, use: (turn: number) => Promise<unknown>): Promise<Array<number>> => {
  const began = performance.now()
  const running: Array<Promise<number>> = []
  for (let turn = 0; turn < count; turn++) {
    await sleep(Math.max(0, began + (turn * 1000) / rate - performance.now()))
    running.push(timed(() => use(turn)))
  }
  return Promise.all(running)
}

export const run = async (server: Server): Promise<Figures> => {
  heading(`Signing in ${perSecond} times a second`)
  const alone: Array<number> = []
  await passwords.hash(password)
  const before = process.cpuUsage()
  for (let turn = 0; turn < 20; turn++) alone.push(await timed(() => passwords.hash(password)))
  row("one password hash, alone: p50 / p99", shown(alone), "the floor of a sign-in")
  const { system, user } = process.cpuUsage(before)
  const cpu = (system + user) / 1000 / alone.length
  row("CPU of a hash", `${tenths(cpu)} ms`)

  process.env["KANMON_SIGN_INS_PER_MINUTE"] = "1000000"
  process.env["KANMON_ROLES"] = "api"
  await server.start()
  delete process.env["KANMON_SIGN_INS_PER_MINUTE"]
  delete process.env["KANMON_ROLES"]
  const email = (turn: number) => `person${turn % people}@example.org`
  for (let turn = 0; turn < people; turn++)
    await post(`${server.base}/auth/sign-up/email`, { name: "Bench", email: email(turn), password })
  const read = async () => (await fetch(`${server.base}/auth/methods`)).arrayBuffer()
  const signIn = async (turn: number) => {
    const answer = await post(`${server.base}/auth/sign-in/email`, { email: email(turn), password })
    await answer.arrayBuffer()
    if (answer.status !== 200) throw new Error(`A sign-in answered ${answer.status}`)
  }
  row("a request without a password: p50 / p99", shown(await atRate(50, 250, read)), "on the idle server")
  const one: Array<number> = []
  for (let turn = 0; turn < people; turn++) one.push(await timed(() => signIn(turn)))
  row("sign-in, one after the other: p50 / p99", shown(one))

  const count = perSecond * seconds
  const [signIns, reads] = await Promise.all([atRate(perSecond, count, signIn), atRate(50, 50 * seconds, read)])
  row(`sign-in, ${perSecond} a second: p50 / p99`, shown(signIns), "p99 under 300 ms")
  row("a request without a password: p50 / p99", shown(reads), "beside them: p99 under 50 ms")
  return { signIn: [cpu, percentile(signIns, 0.5), percentile(signIns, 0.99), percentile(reads, 0.99)] }
}
