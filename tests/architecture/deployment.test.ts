/** The files below docs/deploy say what Kanmon understands, and fit each other. */
import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { promisify } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Option } from "effect"
import { Settings } from "../../apps/server/src/Settings.ts"
import * as BuildContext from "../support/BuildContext.ts"
import * as Deployment from "../support/Deployment.ts"
import * as Folder from "../support/Folder.ts"
import * as RoleSettings from "../support/RoleSettings.ts"

const { read, root } = Deployment
const run = promisify(execFile)

const program = (name: string): string | undefined =>
  (process.env["PATH"] ?? "")
    .split(path.delimiter)
    .map((folder) => path.join(folder, name))
    .find((file) => existsSync(file))

/** Names of the settings that there are: Kanmon's own, those of the channels, and what the runtime reads. */
const known = async (): Promise<ReadonlySet<string>> => {
  const names = new Set(["MALLOC_ARENA_MAX", "NODE_ENV", "NODE_COMPILE_CACHE"])
  const sources = ["Settings.ts", "SignInSettings.ts"].map((file) => path.join(root, "apps/server/src", file))
  for (const folder of await fs.readdir(path.join(root, "plugins")))
    if (/^(notify|auth)-/.test(folder))
      for (const file of await fs.readdir(path.join(root, "plugins", folder, "src")))
        if (file.endsWith(".ts")) sources.push(path.join(root, "plugins", folder, "src", file))
  for (const source of sources)
    for (const [, quoted, key] of (await fs.readFile(source, "utf8")).matchAll(
      /"([A-Z]+_[A-Z0-9_]+)"|^\s*([A-Z]+_[A-Z0-9_]+): /gm
    ))
      // Plugins quote error codes of providers.
      if (key !== undefined || source.endsWith("Settings.ts")) names.add(quoted ?? key!)
  return names
}

/** A channel is tested by the api, and the engine delivers through it; sign-in is the api's alone. */
const rolesOfPlugin = (name: string): ReadonlySet<string> =>
  new Set(name.startsWith("KANMON_AUTH_") ? ["api"] : ["api", "engine"])

/** Reads the settings as the product does, from this environment alone. */
const settingsOf = (env: Readonly<Record<string, string>>) =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      const before = process.env
      process.env = { ...env }
      return before
    }),
    () =>
      Effect.exit(
        Effect.provide(
          Effect.map(Settings, (settings) => settings),
          Settings.layer
        )
      ),
    (before) => Effect.sync(() => void (process.env = before))
  )

const image = async (): Promise<Readonly<Record<string, string>>> => {
  const text = (await Deployment.dockerfile()).at(-1)!.filter(({ name }) => name === "ENV")
  return Object.fromEntries(
    text.flatMap((env) => env.text.split(" ").map((pair) => pair.split("=") as [string, string]))
  )
}

const everyStarted = async (): Promise<ReadonlyArray<Deployment.Started>> => {
  const inImage = [...(await Deployment.compose()).started, ...(await Deployment.kubernetes()).started]
  const env = await image()
  return [
    ...inImage.map((started) => ({ ...started, env: { ...env, ...started.env } })),
    (await Deployment.unit()).started
  ]
}

describe("the deployment files", () => {
  it("uses existing settings with valid values", async () => {
    const names = await known()
    for (const { env, where } of await everyStarted()) {
      for (const name of Object.keys(env)) assert.isTrue(names.has(name), `${where}: ${name}`)
      const exit = await Effect.runPromise(settingsOf(env))
      assert.isTrue(Exit.isSuccess(exit), `${where}: ${String(exit)}`)
    }
  })

  it("runs every role, covers the configured regions, and gives the secret only to the control plane", async () => {
    const belongs = RoleSettings.read()
    for (const { started } of [await Deployment.compose(), await Deployment.kubernetes()]) {
      const roles = started.map(({ env }) => env["KANMON_ROLES"])
      assert.sameMembers([...new Set(roles)], ["api", "engine", "probe"])
      const probes = started.filter(({ env }) => env["KANMON_ROLES"] === "probe")
      const controlPlane = started.filter(({ env }) => env["KANMON_ROLES"] !== "probe")
      const regions = probes.map(({ env }) => env["KANMON_REGION"]!)
      for (const { env, where } of controlPlane) {
        assert.sameMembers(env["KANMON_REGIONS"]!.split(","), regions, where)
        for (const name of ["DATABASE_URL", "NATS_URL", "KANMON_SECRET", "KANMON_BASE_URL"])
          assert.property(env, name, where)
      }
      for (const { env, where } of probes) {
        for (const name of Object.keys(env)) assert.isTrue(belongs.get(name)?.has("probe"), `${where}: ${name}`)
        assert.property(env, "NATS_URL", where)
      }
    }
  })

  it("gives each workload of Kubernetes only the settings of its role", async () => {
    const belongs = RoleSettings.read()
    for (const { env, where } of (await Deployment.kubernetes()).started)
      for (const name of Object.keys(env)) {
        const roles: ReadonlySet<string> = belongs.get(name) ?? rolesOfPlugin(name)
        assert.isTrue(roles.has(env["KANMON_ROLES"]!), `${where}: ${name}`)
      }
  })

  it("passes on every setting of each role with Compose", async () => {
    const belongs = RoleSettings.read()
    // The image decides these; the ports of the host are those of the file.
    const ofImage = new Set([
      "KANMON_DATA_DIR",
      "KANMON_HOST",
      "KANMON_METRICS_PORT",
      "KANMON_NATS_PORT",
      "KANMON_PORT",
      "MALLOC_ARENA_MAX",
      "NODE_COMPILE_CACHE",
      "NODE_ENV"
    ])
    const rolesOf = (name: string): ReadonlySet<string> => belongs.get(name) ?? rolesOfPlugin(name)
    const names = [...(await known()), ...belongs.keys()].filter((name) => !ofImage.has(name))
    assert.includeMembers(names, ["KANMON_WATCHDOG_URL", "TWILIO_FROM", "KANMON_CHECK_RESOLVER", "KANMON_PLUGINS"])
    const { started } = await Deployment.compose()
    for (const { env, where } of [...started, await Deployment.remoteProbe()])
      assert.sameMembers(
        Object.keys(env),
        [...new Set(names)].filter((name) => rolesOf(name).has(env["KANMON_ROLES"]!)),
        where
      )
  })

  it("gives a setting that the api and the engine share to both", async () => {
    const belongs = RoleSettings.read()
    const ofOne = new Set([
      "KANMON_ROLES",
      "KANMON_DATA_DIR",
      "KANMON_HOST",
      "KANMON_METRICS_PORT",
      "KANMON_LOG_LEVEL",
      // Its user is that of the role.
      "NATS_URL"
    ])
    for (const { started } of [await Deployment.compose(), await Deployment.kubernetes()]) {
      const of = (role: string) => started.filter(({ env }) => env["KANMON_ROLES"] === role)
      for (const { env, where } of [...of("api"), ...of("engine")])
        for (const [name, value] of Object.entries(env)) {
          const roles = belongs.get(name) ?? rolesOfPlugin(name)
          if (ofOne.has(name) || !roles.has("api") || !roles.has("engine")) continue
          for (const other of [...of("api"), ...of("engine")])
            assert.strictEqual(other.env[name], value, `${name} of ${where} and ${other.where}`)
        }
    }
  })

  it("starts an existing command", async () => {
    const commands = [
      ...(await fs.readFile(path.join(root, "apps/server/src/cli/Serve.ts"), "utf8")).matchAll(
        /Command\.make\(\s*"(\w+)"/g
      )
    ]
    const serve = commands.map((match) => match[1]!)
    const last = (await Deployment.dockerfile()).at(-1)!
    const json = (name: string): ReadonlyArray<string> => JSON.parse(last.find((one) => one.name === name)!.text)
    assert.deepStrictEqual(json("CMD"), serve)
    const [init, end, node, ...entry] = json("ENTRYPOINT")
    assert.deepStrictEqual([init, end, node], ["/usr/bin/tini", "--", "node"])
    assert.isTrue(existsSync(path.join(root, entry.at(-1)!)))
    for (const { args, where } of await everyStarted()) if (args.length > 0) assert.deepStrictEqual(args, serve, where)
    const { command, values } = await Deployment.unit()
    // With the same options of the runtime everywhere.
    assert.deepStrictEqual(command.slice(1), [...entry, ...serve])
    const { scripts } = JSON.parse(await fs.readFile(path.join(root, "package.json"), "utf8"))
    const arenas = (await image())["MALLOC_ARENA_MAX"]
    assert.strictEqual(scripts.start, [`MALLOC_ARENA_MAX=${arenas} exec node`, ...entry, ...serve].join(" "))
    assert.include(values("Environment"), `MALLOC_ARENA_MAX=${arenas}`)
    assert.strictEqual(command[0], `${values("WorkingDirectory")[0]}/node_modules/.bin/node`)
  })

  it("copies only files that exist and that .dockerignore includes, in each stage", async () => {
    const sources = (await Deployment.dockerfile())
      .flat()
      .filter(({ name, text }) => name === "COPY" && !text.startsWith("--from="))
      .flatMap(({ text }) => text.split(" ").slice(0, -1))
    assert.isNotEmpty(sources)
    for (const source of sources) {
      assert.isTrue(existsSync(path.join(root, source)), source)
      assert.isTrue(BuildContext.holds(source), `.dockerignore keeps ${source} from the builder`)
    }
    const sent = (await fs.readdir(root)).filter((entry) => BuildContext.holds(entry))
    assert.sameMembers(sent, [...new Set(sources)], "The builder is sent what no stage copies")
  })

  it("keeps what is built, tested or secret from the builder", () => {
    for (const file of [
      ".env",
      ".git/config",
      ".kanmon/secret",
      "apps/dashboard/dist/index.html",
      "apps/server/.env",
      "docs/deploy/compose/.env",
      "node_modules/effect/package.json",
      "packages/core/node_modules/x/index.js",
      "packages/core/test/Actor.test.ts",
      "packages/core/npm-debug.log"
    ])
      assert.isFalse(BuildContext.holds(file), file)
  })

  it("uses the port and path that Kanmon answers on", async () => {
    const env = await image()
    const settings = await Effect.runPromise(settingsOf(env))
    assert.isTrue(Exit.isSuccess(settings))
    if (!Exit.isSuccess(settings)) return
    const { metricsPort, port } = settings.value
    const metrics = Option.getOrThrow(metricsPort)
    const documented = await fs.readFile(path.join(root, "docs/reference/openapi.json"), "utf8")
    assert.include(documented, '"/api/v1/health/live"')
    const text = await read("Dockerfile")
    assert.include(text, `EXPOSE ${port} ${metrics}\n`)
    assert.include(text, "${process.env.KANMON_METRICS_PORT}/api/v1/health/live")
    const { services } = await Deployment.compose()
    assert.deepStrictEqual(services["api"]!["ports"], [`127.0.0.1:${port}:${port}`])
    const { containers, named } = await Deployment.kubernetes()
    const { container } = containers.find(({ manifest }) => manifest.metadata.name === "api")!
    assert.strictEqual(container["ports"][0].containerPort, port)
    const roles = await fs.readFile(path.join(root, "docs/operate/roles.md"), "utf8")
    assert.include(roles, "a load balancer in front that asks `/api/v1/health/live`")
    for (const probe of ["startupProbe", "livenessProbe", "readinessProbe"])
      assert.deepStrictEqual(container[probe].httpGet, { path: "/api/v1/health/live", port: "http" })
    assert.strictEqual(named("Service", "api")["spec"].ports[0].targetPort, "http")
    const ours = containers.filter(({ container: { image } }) => image === "kanmon")
    assert.isAtLeast(ours.length, 4)
    for (const { container: own, manifest } of ours) {
      assert.strictEqual(own["ports"].find(({ name }: { name: string }) => name === "metrics").containerPort, metrics)
      if (manifest.metadata.name !== "api")
        assert.deepStrictEqual(own["livenessProbe"].httpGet, { path: "/api/v1/health/live", port: "metrics" })
    }
  })
})

describe("the operator's guide", () => {
  it("refers only to existing settings, files and headings", async () => {
    const names = await known()
    const guide = path.join(root, "docs/operate")
    for (const file of await fs.readdir(guide)) {
      const text = await fs.readFile(path.join(guide, file), "utf8")
      for (const [name] of text.matchAll(/\bKANMON_[A-Z0-9_]*[A-Z0-9]\b/g)) {
        // Streams of the bus, and what the upgrade notes call by its former name.
        const isSetting = names.has(name) || /^KANMON_(CHECKS|EVENTS|SENTINELS)$/.test(name)
        assert.isTrue(isSetting, `${file}: ${name}`)
      }
      for (const [, link, chapter] of text.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)) {
        const target = link === "" ? file : link!
        assert.isTrue(existsSync(path.join(guide, target)), `${file}: ${target}`)
        if (chapter === undefined) continue
        const headings = (await fs.readFile(path.join(guide, target), "utf8")).matchAll(/^#+ (.*)$/gm)
        const anchors = [...headings].map((heading) =>
          heading[1]!
            .toLowerCase()
            .replaceAll(/[^\w -]/g, "")
            .replaceAll(" ", "-")
        )
        assert.include(anchors, chapter, `${file}: ${target}`)
      }
    }
  })
})

describe("the compose file", () => {
  it("bounds the memory of every service", async () => {
    const { services } = await Deployment.compose()
    for (const [name, service] of Object.entries(services)) {
      assert.match(String((service as { readonly mem_limit?: string }).mem_limit), /^\d+[mg]$/, name)
    }
  })

  it("lets no process of Kanmon write but to memory and its volumes", async () => {
    const files = [await Deployment.compose(), await Deployment.remoteCompose()]
    const all = files.flatMap(({ services }) => Object.values<Readonly<Record<string, any>>>(services))
    const kanmon = all.filter((service) => service["image"] === "kanmon")
    assert.isAtLeast(kanmon.length, 3)
    for (const service of kanmon) {
      assert.isTrue(service["read_only"], JSON.stringify(service["command"]))
      assert.include(service["cap_drop"], "ALL")
      assert.include(service["security_opt"], "no-new-privileges:true")
    }
  })

  it("mounts, joins and waits for things that it defines", async () => {
    const { networks, services, volumes } = await Deployment.compose()
    for (const [name, service] of Object.entries(services)) {
      for (const volume of service["volumes"] ?? []) {
        const source = String(volume).split(":")[0]!
        if (source === "./nats/roles.conf") continue
        if (source.startsWith("./")) assert.isTrue(existsSync(path.join(root, "docs/deploy/compose", source)), source)
        else assert.property(volumes, source, name)
      }
      for (const network of service["networks"]) assert.property(networks, network, name)
      for (const [other, { condition }] of Object.entries<any>(service["depends_on"] ?? {}))
        if (condition === "service_healthy")
          assert.notStrictEqual(services[other]!["healthcheck"]?.disable, true, other)
    }
  })
})

describe("the manifests for Kubernetes", () => {
  it("lists every manifest except the example secrets in the kustomization", async () => {
    const { files, manifests } = await Deployment.kubernetes()
    assert.sameMembers(
      manifests.find(({ kind }) => kind === "Kustomization")!["resources"],
      files.filter((file) => file !== "kustomization.yaml" && file !== "secrets.example.yaml")
    )
  })

  it("lets no container write to its image, nor gain privileges", async () => {
    const { containers } = await Deployment.kubernetes()
    // PostgreSQL's image keeps its socket and its lock outside of the volume.
    const others = containers.filter(({ manifest }) => manifest.metadata.name !== "postgres")
    assert.isAtLeast(others.length, 4)
    for (const { container, manifest } of others)
      assert.deepInclude(
        container["securityContext"],
        { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ["ALL"] } },
        manifest.metadata.name
      )
  })

  it("matches selectors to labels, volumes to mounts, and secrets to keys", async () => {
    const { containers, manifests, named } = await Deployment.kubernetes()
    const pods = containers.map(({ manifest }) => manifest["spec"].template)
    for (const { container, manifest } of containers) {
      const { matchLabels } = manifest["spec"].selector
      assert.include(manifest["spec"].template.metadata.labels, matchLabels)
      const volumes = [
        ...(manifest["spec"].template.spec.volumes ?? []).map(({ name }: any) => name),
        ...(manifest["spec"].volumeClaimTemplates ?? []).map(({ metadata }: any) => metadata.name)
      ]
      assert.sameMembers(
        container["volumeMounts"].map(({ name }: any) => name),
        volumes,
        manifest.metadata.name
      )
      for (const { valueFrom } of container["env"] ?? []) {
        if (valueFrom === undefined) continue
        const { key, name } = valueFrom.secretKeyRef
        assert.property(named("Secret", name)["stringData"], key)
      }
      assert.strictEqual(container["securityContext"].allowPrivilegeEscalation, false)
      assert.strictEqual(manifest["spec"].template.spec.securityContext.runAsNonRoot, true)
    }
    for (const { kind, metadata, spec } of manifests) {
      if (kind !== "Service" && kind !== "PodDisruptionBudget") continue
      const selector = spec.selector.matchLabels ?? spec.selector
      const chosen = pods.filter(({ metadata: { labels } }) =>
        Object.entries(selector).every(([key, value]) => labels[key] === value)
      )
      assert.strictEqual(chosen.length, 1, `${kind} ${metadata.name}`)
    }
  })

  it.skipIf(program("kubectl") === undefined)("renders with kustomize", async () => {
    const { stdout } = await run(program("kubectl")!, ["kustomize", path.join(root, "docs/deploy/kubernetes")])
    assert.include(stdout, "image: registry.example.org/kanmon:")
    assert.strictEqual(stdout.match(/^kind: /gm)?.length, 16)
    // With a hash of the content in its name, a changed setting replaces the pods.
    for (const name of ["kanmon", "kanmon-api", "kanmon-engine", "kanmon-probe"])
      assert.match(
        stdout,
        new RegExp(String.raw`name: ${name}-[0-9a-z]{10}\n\s+- secretRef|name: ${name}-[0-9a-z]{10}\n\s+- configMapRef`)
      )
  })
})

const analyze = program("systemd-analyze")

describe.skipIf(analyze === undefined)("the systemd unit", () => {
  it.live("passes systemd-analyze with a low exposure", () =>
    Effect.gen(function* () {
      const text = yield* Effect.promise(() => read("systemd/kanmon.service"))
      const folder = yield* Folder.make({ "kanmon.service": text.replaceAll("/opt/kanmon", root) })
      const file = path.join(folder, "kanmon.service")
      const { stderr, stdout } = yield* Effect.promise(() => run(analyze!, ["verify", "--man=no", file]))
      assert.strictEqual(stdout + stderr, "")
      // Ends with an error above the threshold, in tenths.
      yield* Effect.promise(() => run(analyze!, ["security", "--offline=yes", "--threshold=20", file]))
    }).pipe(Effect.scoped)
  )
})
