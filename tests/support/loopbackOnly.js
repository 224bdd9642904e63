/**
 * Refuses every connection, datagram and look-up of a process that leads out of this machine, and notes it in a file that fails
 * the test run (`loopbackSetup.ts`), also where the caller handles the error. It is preloaded by each process of a test run, and
 * hands itself on to every process and thread that those start. JavaScript: Node loads a compiler to read types.
 */
import { appendFileSync } from "node:fs"
import dns from "node:dns"
import net from "node:net"
import { hostname } from "node:os"
import { syncBuiltinESMExports } from "node:module"
import { AsyncLocalStorage } from "node:async_hooks"
import threads from "node:worker_threads"

/**
 * @typedef {{ readonly kind: string, readonly address: string, readonly test: string, readonly process: string, readonly stack: string }} Attempt
 */

/** The file of the run, and the test that started this process: environment variables, since processes inherit them. */
const fileName = "LOOPBACK_ONLY_FILE"
const testName = "LOOPBACK_ONLY_TEST"
/** `--require`, unlike `--import`, is heeded by threads too. */
const preload = `--require=${import.meta.filename}`

const loopback = new net.BlockList()
loopback.addSubnet("127.0.0.0", 8)
loopback.addAddress("::1", "ipv6")
// Connections to the unspecified address reach this machine.
loopback.addAddress("0.0.0.0")
loopback.addAddress("::", "ipv6")

/** @param {string} address */
const isLoopback = (address) => {
  const [bare = ""] = address.split("%")
  return net.isIP(bare) > 0 && loopback.check(bare, net.isIPv6(bare) ? "ipv6" : "ipv4")
}

/** @param {string} name */
const isLocalName = (name) => {
  const lower = name.toLowerCase().replace(/\.$/, "")
  // Such as 127.1 and 0x7f000001, which the system reads without asking anybody.
  const isNumber = /^[0-9a-fx.]+$/.test(lower) && net.isIPv4(URL.parse(`http://${lower}/`)?.hostname ?? "")
  return (
    isNumber ||
    net.isIP(lower) > 0 ||
    lower === "" ||
    /(^|\.)localhost$/.test(lower) ||
    lower === hostname().toLowerCase()
  )
}

/** Attempts that a test plants are noted for it alone. */
const planted = /** @type {AsyncLocalStorage<Array<Attempt>>} */ (new AsyncLocalStorage())

/** The test that runs in this worker of vitest, or that started this process. */
const currentTest = () => {
  const worker = Reflect.get(globalThis, "__vitest_worker__")
  return worker === undefined
    ? (process.env[testName] ?? "none")
    : [worker.filepath, worker.current?.name].filter(Boolean).join(" > ")
}

/**
 * @param {string} kind
 * @param {string} address
 */
const note = (kind, address) => {
  /** @type {Attempt} */
  const attempt = {
    kind,
    address,
    test: currentTest(),
    process: process.argv.slice(1, 4).join(" "),
    stack: (new Error().stack ?? "").split("\n").slice(3, 14).join("\n")
  }
  const own = planted.getStore()
  if (own !== undefined) return void own.push(attempt)
  const file = process.env[fileName] ?? ""
  if (file === "") process.emitWarning(`${kind} to ${address} refused: ${attempt.stack}`)
  else appendFileSync(file, `${JSON.stringify(attempt)}\n`)
}

/** Runs the work; answers the attempts that it made, which do not fail the run. */
const attemptsOf = async (/** @type {() => Promise<unknown>} */ work) => {
  /** @type {Array<Attempt>} */
  const attempts = []
  await planted.run(attempts, work)
  return attempts
}

/** As the system says that there is no way to an address. */
const unreachable = -101

/**
 * @param {any} target
 * @param {string} name
 * @param {(own: any, given: Array<any>) => string | undefined} refused
 * @param {(address: string, given: Array<any>) => any} answer
 */
const guard = (target, name, refused, answer) => {
  const original = target[name]
  const guarded = /** @this {any} */ function (/** @type {Array<any>} */ ...given) {
    const address = refused(this, given)
    return address === undefined ? original.apply(this, given) : answer(address, given)
  }
  // Such as how it is made a function that answers with a promise.
  target[name] = Object.defineProperties(guarded, Object.getOwnPropertyDescriptors(original))
}

/**
 * @param {string} kind
 * @param {(own: any, given: Array<any>) => string} addressIn
 * @returns {(own: any, given: Array<any>) => string | undefined}
 */
const unless = (kind, addressIn) => (own, given) => {
  const address = addressIn(own, given)
  if (isLoopback(address)) return undefined
  note(kind, address)
  return address
}

/**
 * Gives a new process this module, and what it has to know.
 *
 * @param {Array<any>} given
 * @param {number} place
 */
const handOn = (given, place) => {
  const [holder, key] = typeof given[0] === "object" ? [given[0], "envPairs"] : [given, place]
  const pairs = /** @type {Array<string>} */ (holder[key] ?? [])
  const options = pairs.find((pair) => pair.startsWith("NODE_OPTIONS=")) ?? "NODE_OPTIONS="
  const file = pairs.find((pair) => pair.startsWith(`${fileName}=`)) ?? `${fileName}=${process.env[fileName] ?? ""}`
  holder[key] = [
    ...pairs.filter((pair) => pair !== options && pair !== file && !pair.startsWith(`${testName}=`)),
    options.includes(preload) ? options : `${options} ${preload}`,
    `${testName}=${currentTest()}`,
    file
  ]
  return undefined
}

/**
 * What every socket, look-up and process goes through, whichever library made it.
 *
 * @param {(name: string) => any} binding
 */
const guardBindings = (binding) => {
  const { TCP } = binding("tcp_wrap")
  for (const name of ["connect", "connect6"])
    guard(
      TCP.prototype,
      name,
      unless("TCP connection", (_, [, address]) => String(address)),
      () => unreachable
    )
  const { UDP } = binding("udp_wrap")
  // A datagram of a connected socket has no address: connecting was refused.
  const datagram = unless("UDP datagram", (_, given) => (given.length > 4 ? String(given[4]) : "127.0.0.1"))
  for (const name of ["send", "send6"]) guard(UDP.prototype, name, datagram, () => unreachable)
  for (const name of ["connect", "connect6"])
    guard(
      UDP.prototype,
      name,
      unless("UDP connection", (_, [address]) => String(address)),
      () => unreachable
    )
  // Resolvers ask their servers by themselves, without a socket of Node.
  const { ChannelWrap } = binding("cares_wrap")
  for (const name of Object.getOwnPropertyNames(ChannelWrap.prototype))
    if (/^(query|getHostByAddr)/.test(name))
      guard(
        ChannelWrap.prototype,
        name,
        (channel, [, asked]) => {
          const servers = /** @type {Array<[string, number]>} */ (channel.getServers() ?? [])
          // A resolver of the system may listen here, and asks others.
          if (servers.every(([address, port]) => isLoopback(address) && port !== 53)) return undefined
          note("DNS query", `${asked} of ${servers.map(([address]) => address).join(" ")}`)
          return String(asked)
        },
        () => "ECONNREFUSED"
      )
  // By position or by name, which depends on the version of Node.
  guard(
    binding("process_wrap").Process.prototype,
    "spawn",
    (_, given) => handOn(given, 3),
    () => unreachable
  )
  guard(
    binding("spawn_sync"),
    "spawn",
    (_, given) => handOn(given, 3),
    () => unreachable
  )
}

/** Threads have bindings of their own. */
class GuardedWorker extends threads.Worker {
  /**
   * @param {string | URL} file
   * @param {threads.WorkerOptions} [options]
   */
  constructor(file, options = {}) {
    const { env, execArgv = process.execArgv } = options
    const known = { [fileName]: process.env[fileName], [testName]: currentTest() }
    super(file, {
      ...options,
      execArgv: [...execArgv, preload],
      ...(typeof env === "object" && env !== null ? { env: { ...env, ...known } } : {})
    })
  }
}

/** @param {any} target */
const guardLookups = (target) => {
  guard(
    target,
    "lookup",
    (_, [name]) => {
      if (isLocalName(String(name))) return undefined
      note("Look-up by the system", String(name))
      return String(name)
    },
    (name, given) => {
      const error = Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), {
        code: "ENOTFOUND",
        errno: -3008,
        syscall: "getaddrinfo",
        hostname: name
      })
      const answer = given.at(-1)
      if (typeof answer !== "function") return Promise.reject(error)
      process.nextTick(answer, error)
      return {}
    }
  )
}

if (Reflect.get(globalThis, Symbol.for("kanmon.tests.loopback")) === undefined) {
  Reflect.set(globalThis, Symbol.for("kanmon.tests.loopback"), attemptsOf)
  // Without it under Node's permission model, which those processes are started with that decode foreign files.
  if (!process.permission) guardBindings(Reflect.get(process, "binding").bind(process))
  guardLookups(dns)
  guardLookups(dns.promises)
  threads.Worker = GuardedWorker
  syncBuiltinESMExports()
}
