/**
 * The folder that a new plugin begins with: it compiles, it is loaded, and its contract test is there and red until `run`, or
 * `deliver`, is written.
 */
import { contract } from "@kanmon/core/Plugin"
import { version } from "../version.ts"

/** What is to be written. */
export interface Wanted {
  readonly kind: "check" | "channel"
  /** `check-grpc`, `notify-gong`. */
  readonly name: string
  /** `grpc`, `gong`: what monitors or channels of it name. */
  readonly type: string
  /** With async functions instead of Effect. */
  readonly promises: boolean
  /** In `plugins/` of Kanmon's own repository, which has the tools and the settings already. */
  readonly inside: boolean
}

/** Versions that a plugin outside is written against: those of this repository. */
export const tools = { effect: "4.1.0", "@types/node": "24.19.2", typescript: "7.0.2", vitest: "5.1.1" } as const

/** What a name stands for, or undefined when it is no name of a check or a channel. */
export const meaningOf = (name: string): Pick<Wanted, "kind" | "name" | "type"> | undefined => {
  const [, prefix, type] = /^(check|notify)-([a-z][a-z0-9-]{1,31})$/.exec(name) ?? []
  return type === undefined ? undefined : { kind: prefix === "check" ? "check" : "channel", name, type }
}

/** Files by their paths in the folder. */
export const files = (wanted: Wanted): Readonly<Record<string, string>> => {
  const tests: Readonly<Record<string, string>> =
    wanted.kind === "channel"
      ? { "test/world.ts": world(wanted), "test/contract.test.ts": channelTest }
      : wanted.inside
        ? {} // tests/contract finds every check of the repository by itself.
        : { "test/contract.test.ts": checkTest }
  return {
    "package.json": `${JSON.stringify(wanted.inside ? manifestInside(wanted) : manifest(wanted), null, 2)}\n`,
    ...(wanted.inside
      ? {}
      : {
          "tsconfig.json": `${JSON.stringify(tsconfig, null, 2)}\n`,
          "tsconfig.build.json": `${JSON.stringify(tsconfigOfBuild, null, 2)}\n`
        }),
    "README.md": readme(wanted),
    "src/index.ts": sources[wanted.kind][wanted.promises ? "promises" : "effect"](wanted),
    ...tests
  }
}

const described = ({ kind, type }: Wanted): string =>
  kind === "check" ? `A Kanmon check of the type ${type}` : `A Kanmon channel of the type ${type}`

const manifestInside = (wanted: Wanted): object => ({
  name: `@kanmon/${wanted.name}`,
  version,
  private: true,
  description: described(wanted),
  license: "Apache-2.0",
  type: "module",
  kanmon: { kind: wanted.kind, contract },
  exports: { ".": "./src/index.ts" },
  dependencies: { "@kanmon/core": version, effect: tools.effect },
  ...(wanted.kind === "channel" ? { devDependencies: { "@kanmon/testkit": version } } : {})
})

const manifest = (wanted: Wanted): object => ({
  name: wanted.name,
  version: "0.1.0",
  description: described(wanted),
  type: "module",
  kanmon: { kind: wanted.kind, contract },
  exports: { ".": { source: "./src/index.ts", default: "./dist/index.js" } },
  files: ["dist", "src"],
  scripts: {
    check: "tsc",
    build: "tsc -p tsconfig.build.json",
    test: "vitest run",
    contract: "kanmon plugin check .",
    prepack: "npm run build"
  },
  peerDependencies: { "@kanmon/core": version, effect: tools.effect },
  devDependencies: {
    "@kanmon/testkit": version,
    "@types/node": tools["@types/node"],
    typescript: tools.typescript,
    vitest: tools.vitest
  }
})

/** For the editor, and to check sources and tests. */
const tsconfig = {
  compilerOptions: {
    target: "ES2024",
    lib: ["ES2024"],
    module: "NodeNext",
    moduleDetection: "force",
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    erasableSyntaxOnly: true,
    verbatimModuleSyntax: true,
    allowImportingTsExtensions: true,
    rewriteRelativeImportExtensions: true,
    skipLibCheck: true,
    types: ["node"],
    noEmit: true
  },
  include: ["src", "test"]
}

/** Writes the sources, and nothing else, as JavaScript. */
const tsconfigOfBuild = {
  extends: "./tsconfig.json",
  compilerOptions: { noEmit: false, rootDir: "src", outDir: "dist" },
  include: ["src"]
}

const readme = (wanted: Wanted): string => {
  const { inside, kind, name, type } = wanted
  const example =
    kind === "check"
      ? { name: "Example", type, host: "target.example.org", port: 1234 }
      : { name: "Example", type, config: { url: "https://target.example.org/a-secret" } }
  const rest = inside
    ? ""
    : `
\`\`\`sh
kanmon plugin check .            # holds it to the contract, and says what fails
KANMON_PLUGINS=/path/to/${name} kanmon serve
\`\`\`

To publish it, run \`npm publish\`: Node reads no TypeScript out of \`node_modules\`, so \`dist\` is built first.
`
  return `# ${inside ? `@kanmon/${name}` : name}

${described(wanted)}. Say here what it ${kind === "check" ? "asks of its target, and when that is up" : "sends, and where"}.

\`\`\`json
${JSON.stringify(example, null, 1).replaceAll(/\n\s*/g, " ")}
\`\`\`
${rest}`
}

const checkOptions = (type: string, run: string): string => `{
  type: "${type}",
  summary: "Says in one sentence what it asks of its target.",
  config: Schema.Struct({
    host: Hostname.annotate({ description: "Host name or IP address" }),
    port: Port.annotate({ description: "TCP port" })
  }),
  example: { host: "target.example.org", port: 1234 },
  defaults: { timeout: 10 },
  host: ({ host }) => host,
  target: ({ host, port }) => \`\${host}:\${port}\`,
  ${run}
}`

const channelOptions = (type: string, run: string): string => `{
  type: "${type}",
  summary: "Says in one sentence what it sends, and where.",
  config: Schema.Struct({ url: WebAddress.annotate({ description: "Address of the destination. Write-only" }) }),
  example: { url: "https://target.example.org/a-secret" },
  secrets: ["url"],
  ${run}
}`

const nameOf = ({ inside, name }: Wanted): string => (inside ? `@kanmon/${name}` : name)

const sources = {
  check: {
    effect: (wanted: Wanted): string => `/** Checks … */
import * as Check from "@kanmon/core/Check"
import { Hostname, Port } from "@kanmon/core/Hostname"
import * as Plugin from "@kanmon/core/Plugin"
import { Effect, Schema } from "effect"

const check = Check.define(${checkOptions(
      wanted.type,
      `// One attempt, through the capabilities of the host: the Dialer and the Resolver of @kanmon/core.
  run: (_config, _attempt) => Effect.die(new Error("${wanted.name} is not written yet"))`
    )})

export default Plugin.define({ name: "${nameOf(wanted)}", contract: ${contract}, checks: [check] })
`,
    promises: (wanted: Wanted): string => `/** Checks … */
import { Hostname, Port } from "@kanmon/core/Hostname"
import { definePlugin, definePromiseCheck } from "@kanmon/core/PromisePlugin"
import { Schema } from "effect"

const check = definePromiseCheck(${checkOptions(
      wanted.type,
      `// One attempt: \`attempt\` has the network and the signal to stop. Throw \`down(…)\` or \`unknown(…)\`.
  run: async (_config, _attempt) => {
    throw new Error("${wanted.name} is not written yet")
  }`
    )})

export default definePlugin({ name: "${nameOf(wanted)}", contract: ${contract}, checks: [check] })
`
  },
  channel: {
    effect: (wanted: Wanted): string => `/** Sends … */
import * as Channel from "@kanmon/core/Channel"
import * as Plugin from "@kanmon/core/Plugin"
import { WebAddress } from "@kanmon/core/WebAddress"
import { Effect, Schema } from "effect"

const channel = Channel.define(${channelOptions(
      wanted.type,
      `make: (_config) =>
    Effect.succeed({
      // One attempt: HttpDelivery and NoticeText of @kanmon/core have what most channels need.
      deliver: (_notice) => Effect.die(new Error("${wanted.name} is not written yet"))
    })`
    )})

export default Plugin.define({ name: "${nameOf(wanted)}", contract: ${contract}, channels: [channel] })
`,
    promises: (wanted: Wanted): string => `/** Sends … */
import { definePlugin, definePromiseChannel } from "@kanmon/core/PromisePlugin"
import { WebAddress } from "@kanmon/core/WebAddress"
import { Schema } from "effect"

const channel = definePromiseChannel(${channelOptions(
      wanted.type,
      `// One attempt: \`delivery\` has the network and the signal to stop, NoticeText of @kanmon/core has the words.
  deliver: async (_notice, _config, _delivery) => {
    throw new Error("${wanted.name} is not written yet")
  }`
    )})

export default definePlugin({ name: "${nameOf(wanted)}", contract: ${contract}, channels: [channel] })
`
  }
} as const

const checkTest = `/** The contract that every check keeps. */
import * as CheckContract from "@kanmon/testkit/CheckContract"
import plugin from "../src/index.ts"

for (const check of plugin.checks) CheckContract.suite(check)
`

const channelTest = `/** The contract that every channel keeps. */
import * as ChannelContract from "@kanmon/testkit/ChannelContract"
import plugin from "../src/index.ts"
import world from "./world.ts"

for (const channel of plugin.channels) ChannelContract.suite(channel, world)
`

const world = ({
  type
}: Wanted): string => `/** The other end of ${type}, with the rules of its documentation: what breaks one is told to the test. */
import { http, json, require } from "@kanmon/testkit/ChannelWorld"

export default http({
  settle: (address) => ({ config: { url: \`\${address}/a-secret\` } }),
  answer: (request) => {
    require(request.method === "POST", "the method is not POST", { status: 405 })
    json(request)
    return { status: 200, body: "ok" }
  }
})
`
