/**
 * The folder that `kanmon nats config` writes. Existing keys are never changed or removed, and a region with a key is kept, so
 * writing it again only adds to the configuration.
 */
import * as fs from "node:fs/promises"
import * as path from "node:path"
import * as NatsKey from "../NatsKey.ts"
import { Data, Effect, Redacted } from "effect"
import * as NatsConfiguration from "./NatsConfiguration.ts"

/** The folder cannot be used; the message names the file and what to do. */
class NatsFolderUnusable extends Data.TaggedError("NatsFolderUnusable")<{ readonly message: string }> {}

export interface Written {
  /** The server's own configuration; an existing one is kept. */
  readonly server: { readonly file: string; readonly kept: boolean }
  readonly roles: { readonly file: string; readonly changed: boolean }
  /** The key of each user and its file. */
  readonly keys: ReadonlyArray<{
    readonly user: string
    readonly file: string
    readonly made: boolean
    readonly seed: Redacted.Redacted
  }>
}

/** `folder` is absolute. */
export const write = Effect.fnUntraced(function* (
  folder: string,
  regions: ReadonlyArray<string>,
  options: NatsConfiguration.ServerOptions
) {
  const home = path.join(folder, "keys")
  yield* attempt(`${folder} cannot be created`, async () => {
    await fs.mkdir(folder, { recursive: true })
    await fs.mkdir(home, { recursive: true, mode: 0o700 })
    // The folder is often made in a checkout.
    await create(path.join(home, ".gitignore"), "*\n", 0o644)
  })
  const kept = yield* attempt(`${home} cannot be read`, () => regionsIn(home))
  const all = [...new Set([...kept, ...regions])].sort()
  const keys = yield* Effect.forEach(NatsConfiguration.users(all), (user) =>
    Effect.flatMap(
      Effect.promise(() => fileOf(home, user)),
      (file) => keyOf(file, user)
    ).pipe(Effect.map((key) => ({ user, ...key })))
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
    keys: keys.map(({ file, made, seed, user }) => ({ file, made, seed, user }))
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

/** Earlier releases wrote the key of `control-plane` as `centre.nkey`, which running processes still use. */
const formerNames: Readonly<Record<string, string>> = { "control-plane": "centre" }

const fileOf = async (home: string, user: string): Promise<string> => {
  const file = path.join(home, `${user}.nkey`)
  const former = path.join(home, `${formerNames[user] ?? user}.nkey`)
  const exists = (name: string): Promise<boolean> =>
    fs.access(name).then(
      () => true,
      () => false
    )
  return !(await exists(file)) && (await exists(former)) ? former : file
}

const keyOf = Effect.fnUntraced(function* (file: string, user: string) {
  const { seed } = NatsKey.make()
  const made = yield* attempt(`${file} cannot be written`, () =>
    create(file, `# Kanmon's key for NATS as ${user}. Secret.\n${seed}\n`, 0o600)
  )
  const key = NatsKey.find(yield* attempt(`${file} cannot be read`, () => fs.readFile(file, "utf8")))
  if (key === undefined) {
    return yield* new NatsFolderUnusable({
      message: `${file} contains no key. Restore it, or remove the file to create a new key for ${user}.`
    })
  }
  return { file, made, publicKey: key.publicKey, seed: Redacted.make(key.seed) }
})

/** Writes a file unless it exists. */
const create = (file: string, text: string, mode: number): Promise<boolean> =>
  fs.writeFile(file, text, { flag: "wx", mode }).then(
    () => true,
    (error: NodeJS.ErrnoException) => (error.code === "EEXIST" ? false : Promise.reject(error))
  )

/** Replaces the file atomically, because a server may read it at any time. */
const replace = async (file: string, text: string): Promise<boolean> => {
  if ((await fs.readFile(file, "utf8").catch(() => undefined)) === text) return false
  const next = `${file}.new`
  await fs.writeFile(next, text, { mode: 0o644 })
  await fs.rename(next, file)
  return true
}
