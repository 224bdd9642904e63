/** Parses the files in docs/deploy: which processes they start, with which settings. */
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { parse, parseAllDocuments } from "yaml"

export const root = path.resolve(import.meta.dirname, "../..")
const folder = path.join(root, "docs/deploy")

export const read = (file: string): Promise<string> => fs.readFile(path.join(folder, file), "utf8")

type Environment = Readonly<Record<string, string>>

/** A Kanmon process and its environment. */
export interface Started {
  readonly where: string
  readonly args: ReadonlyArray<string>
  readonly env: Environment
}

/** `NAME=value` lines, including commented ones, which document their use. */
export const envFile = async (file: string): Promise<Environment> =>
  Object.fromEntries(
    [...(await read(file)).matchAll(/^#?([A-Z][A-Z0-9_]*)=(.*)$/gm)].map((line) => [line[1]!, line[2]!])
  )

/** Compose's interpolation of `${NAME:?}`. Missing values are made up. */
const interpolate = (text: string, env: Environment): string =>
  text.replaceAll(/\$\{(\w+)(?::[?-][^}]*)?\}/g, (_all, name: string) => {
    if (env[name] === undefined) throw new Error(`compose.yaml asks for ${name}, which .env.example does not name`)
    return env[name] === "" ? "filled-in" : env[name]
  })

const composeOf = async (folder: string, where: string) => {
  const env = await envFile(`${folder}/.env.example`)
  const file = parse(await read(`${folder}/compose.yaml`), { merge: true }) as {
    readonly services: Record<string, Record<string, any>>
    readonly volumes: Record<string, unknown>
    readonly networks: Record<string, unknown>
  }
  const started = Object.entries(file.services).flatMap(([name, service]): ReadonlyArray<Started> =>
    service["image"] === "kanmon"
      ? [
          {
            where: `${where} ${name}`,
            args: service["command"] ?? [],
            env: Object.fromEntries(
              Object.entries(service["environment"] as Record<string, string | null>).map(([key, value]) => [
                key,
                interpolate(value ?? `\${${key}}`, env)
              ])
            )
          }
        ]
      : []
  )
  return { ...file, started, env }
}

export const compose = () => composeOf("compose", "compose")

/** The probe on another machine. */
export const remoteProbe = async (): Promise<Started> => (await remoteCompose()).started[0]!

/** The compose file of that machine. */
export const remoteCompose = () => composeOf("compose/remote-probe", "remote compose")

/** A Kubernetes object. */
export interface Manifest {
  readonly file: string
  readonly kind: string
  readonly metadata: { readonly name: string }
  readonly [field: string]: any
}

export const kubernetes = async () => {
  const files = (await fs.readdir(path.join(folder, "kubernetes"))).filter((file) => file.endsWith(".yaml")).sort()
  const manifests: Array<Manifest> = []
  for (const file of files) {
    for (const document of parseAllDocuments(await read(`kubernetes/${file}`))) {
      const [problem] = document.errors
      if (problem !== undefined) throw new Error(`${file}: ${problem.message}`)
      manifests.push({ file, ...document.toJS() })
    }
  }
  for (const manifest of manifests.filter(({ kind }) => kind === "Kustomization"))
    for (const { literals, name } of manifest["configMapGenerator"] as ReadonlyArray<{
      name: string
      literals: string[]
    }>)
      manifests.push({
        file: manifest.file,
        kind: "ConfigMap",
        metadata: { name },
        data: Object.fromEntries(literals.map((literal) => [literal.split("=")[0]!, literal.replace(/^[^=]*=/, "")]))
      })
  const named = (kind: string, name: string): Manifest => {
    const found = manifests.find((manifest) => manifest.kind === kind && manifest.metadata.name === name)
    if (found === undefined) throw new Error(`There is no ${kind} ${name}`)
    return found
  }
  const containers = manifests.flatMap((manifest) =>
    ((manifest["spec"]?.template?.spec?.containers ?? []) as ReadonlyArray<Record<string, any>>).map((container) => ({
      manifest,
      container
    }))
  )
  const started = containers
    .filter(({ container }) => container["image"] === "kanmon")
    .map(({ container, manifest }): Started => ({
      where: `kubernetes ${manifest.metadata.name}`,
      args: container["args"],
      env: Object.assign(
        {},
        ...container["envFrom"].map((from: any) =>
          from.configMapRef === undefined
            ? named("Secret", from.secretRef.name)["stringData"]
            : named("ConfigMap", from.configMapRef.name)["data"]
        ),
        Object.fromEntries(container["env"].map(({ name, value }: any) => [name, value]))
      )
    }))
  return { files, manifests, containers, named, started }
}

/** The systemd unit: its settings by name, in order. */
export const unit = async () => {
  const lines = [...(await read("systemd/kanmon.service")).matchAll(/^([A-Z]\w+)=(.*)$/gm)]
  const values = (name: string): ReadonlyArray<string> => lines.flatMap((line) => (line[1] === name ? [line[2]!] : []))
  const own = values("Environment").flatMap((text) =>
    text.split(" ").map((pair) => pair.split("=") as [string, string])
  )
  const env = { ...Object.fromEntries(own), ...(await envFile("systemd/kanmon.env.example")) }
  const command = values("ExecStart")[0]!.split(" ")
  return {
    values,
    command,
    started: {
      where: "systemd",
      args: command.slice(command.findIndex((part) => part.endsWith(".js")) + 1),
      env
    } satisfies Started
  }
}

/** A Dockerfile instruction with its continuation lines joined. */
export interface Instruction {
  readonly name: string
  readonly text: string
}

/** The stages of the Dockerfile. */
export const dockerfile = async (): Promise<ReadonlyArray<ReadonlyArray<Instruction>>> => {
  const stages: Array<Array<Instruction>> = []
  const text = (await read("Dockerfile")).replaceAll(/^#.*$/gm, "").replaceAll(/\\\n\s*/g, "")
  for (const [, name, rest] of text.matchAll(/^([A-Z]+) (.*)$/gm)) {
    if (name === "FROM") stages.push([])
    stages.at(-1)!.push({ name: name!, text: rest! })
  }
  return stages
}
