/**
 * The folder that `kanmon nats config` writes. Keys in it are never changed or removed, and a region whose key is there stays:
 * written again, the configuration only gains.
 */
import * as fs from "node:fs/promises"
import * as path from "node:path"
import * as NatsKey from "@kanmon/bus/NatsKey"
import { Data, Effect } from "effect"
import * as NatsConfiguration from "./NatsConfiguration.ts"

/** The folder cannot be used; the message says which file, and what to do. */
class NatsFolderUnusable extends Data.TaggedError("NatsFolderUnusable")<{ readonly message: string }> {}

export interface Written {
  /** The server's own configuration; it is kept when it is there. */
  readonly server: { readonly file: string; readonly kept: boolean }
  readonly roles: { readonly file: string; readonly changed: boolean }
  /** The file of each user's key. */
  readonly keys: ReadonlyArray<{ readonly user: string; readonly file: string; readonly made: boolean }>
}

/** `folder` is absolute. */
export const write = Effect.fnUntraced(function* (
  folder: string,
  regions: ReadonlyArray<string>,
  options: NatsConfiguration.ServerOptions
) {
  const home = path.join(folder, "keys")
  yield* attempt(`${folder} cannot be made`, async () => {
    await fs.mkdir(folder, { recursive: true })
    await fs.mkdir(home, { recursive: true, mode: 0o700 })
  })
  const kept = yield* attempt(`${home} cannot be read`, () => regionsIn(home))
  const all = [...new Set([...kept, ...regions])].sort()
  const keys = yield* Effect.forEach(NatsConfiguration.users(all), (user) =>
    Effect.map(keyOf(path.join(home, `${user}.nkey`), user), (key) => ({ user, ...key }))
  )
  const publicKeys = Object.fromEntries(keys.map(({ publicKey, user }) => [user, publicKey]))
  const rolesFile = path.join(folder, "roles.conf")
  const changed = yield* attempt(`${rolesFile} cannot be written`, () =>
    replace(rolesFile, NatsConfiguration.roles(all, publicKeys))
  )
  const serverFile = path.join(folder, "nats-server.conf")
  const made = yield* attempt(`${serverFile} cannot be written`, () =>
    create(serverFile, NatsConfiguration.server(options), 0o644)
  )
  const written: Written = {
    server: { file: serverFile, kept: !made },
    roles: { file: rolesFile, changed },
    keys: keys.map(({ file, made, user }) => ({ file, made, user }))
  }
  return written
})

const attempt = <A>(what: string, run: () => Promise<A>): Effect.Effect<A, NatsFolderUnusable> =>
  Effect.tryPromise({
    try: run,
    catch: (cause) => new NatsFolderUnusable({ message: `${what}: ${(cause as Error).message}` })
  })

const regionsIn = async (home: string): Promise<ReadonlyArray<string>> =>
  (await fs.readdir(home)).flatMap((name) => /^probe-(.+)\.nkey$/.exec(name)?.[1] ?? [])

const keyOf = Effect.fnUntraced(function* (file: string, user: string) {
  const { seed } = NatsKey.make()
  const made = yield* attempt(`${file} cannot be written`, () =>
    create(file, `# Kanmon's key for NATS as ${user}. Secret.\n${seed}\n`, 0o600)
  )
  const key = NatsKey.find(yield* attempt(`${file} cannot be read`, () => fs.readFile(file, "utf8")))
  if (key === undefined) {
    return yield* new NatsFolderUnusable({
      message: `${file} holds no key. Put the old one back, or remove the file to have a new one made for ${user}.`
    })
  }
  return { file, made, publicKey: key.publicKey }
})

/** Writes a file that is not there. */
const create = (file: string, text: string, mode: number): Promise<boolean> =>
  fs.writeFile(file, text, { flag: "wx", mode }).then(
    () => true,
    (error: NodeJS.ErrnoException) => (error.code === "EEXIST" ? false : Promise.reject(error))
  )

/** As a whole or not at all: a server may be told to read it at any time. */
const replace = async (file: string, text: string): Promise<boolean> => {
  if ((await fs.readFile(file, "utf8").catch(() => undefined)) === text) return false
  const next = `${file}.new`
  await fs.writeFile(next, text, { mode: 0o644 })
  await fs.rename(next, file)
  return true
}
