/** The OpenAPI document matches the API, and responses have the required headers. */
import { assert, layer } from "@effect/vitest"
import { Validator } from "@seriousme/openapi-schema-validator"
import { codes } from "@kanmon/domain/ProblemCode"
import { Effect } from "effect"
import { inPlace } from "../../support/ReadableDocument.ts"
import { call, layer as server, Logs, person, port, publicUrl, raw, refused, shop } from "./Server.ts"
import { scimRefused, tenant } from "./ScimStage.ts"

const live = { excludeTestServices: true } as const

layer(server(), live)("documents", (it) => {
  const document = Effect.map(call("GET", "/openapi.json"), ({ body }) => body)

  it.effect("describes the API in valid OpenAPI 3.1", () =>
    Effect.gen(function* () {
      const body = yield* document
      const verdict = yield* Effect.promise(() => new Validator().validate(structuredClone(body)))
      assert.isTrue(verdict.valid, JSON.stringify(verdict.errors))
      assert.match(body.openapi, /^3\.1\./)
      assert.deepStrictEqual(body.servers, [{ url: publicUrl }])
      for (const [, reference = ""] of JSON.stringify(body).matchAll(/"\$ref":"#\/([^"]+)"/g)) {
        const found = reference.split("/").reduce((node: any, key) => node?.[key], body)
        assert.notEqual(found, undefined, reference)
      }
    })
  )

  it.effect("describes every operation with its security and errors", () =>
    Effect.gen(function* () {
      const { paths } = inPlace(yield* document)
      const ids = new Set<string>()
      for (const [path, operations] of Object.entries<any>(paths)) {
        for (const [method, operation] of Object.entries<any>(operations)) {
          assert.isString(operation.summary, `${method} ${path}`)
          assert.isArray(operation.security, `${method} ${path}`)
          ids.add(operation.operationId)
          const isGuarded = operation.security.length > 0 && operation.security.every((one: object) => "apiKey" in one)
          for (const status of isGuarded ? ["401", "403", "429", "500", "503"] : [])
            assert.property(operation.responses, status, `${method} ${path}`)
          for (const [status, response] of Object.entries<any>(operation.responses)) {
            if (Number(status) < 400 || (path.endsWith("/health") && status === "503")) continue
            if (path.startsWith("/api/v1/scim/")) {
              assert.strictEqual(response.content["application/scim+json"].example.status, status)
              continue
            }
            if (status === "default") {
              assert.property(response.content, "application/problem+json", `${method} ${path}`)
              continue
            }
            const { example } = response.content["application/problem+json"]
            assert.strictEqual(codes[example.code as keyof typeof codes].status, Number(status))
          }
        }
      }
      assert.strictEqual(ids.size, Object.values<any>(paths).flatMap(Object.keys).length)
    })
  )

  it.effect.each([
    ["get", "/monitors"],
    ["post", "/monitors"],
    ["get", "/monitors/{monitorId}"],
    ["patch", "/monitors/{monitorId}"],
    ["delete", "/monitors/{monitorId}"],
    ["get", "/monitors/{monitorId}/stats"],
    ["get", "/monitors/{monitorId}/daily-uptime"],
    ["get", "/monitors/{monitorId}/response-times"],
    ["get", "/monitors/{monitorId}/heartbeat-metrics"],
    ["get", "/notification-channels"],
    ["post", "/notification-channels"],
    ["patch", "/notification-channels/{channelId}"],
    ["delete", "/notification-channels/{channelId}"],
    ["get", "/alert-rules"],
    ["post", "/alert-rules"],
    ["patch", "/alert-rules/{ruleId}"],
    ["delete", "/alert-rules/{ruleId}"],
    ["get", "/alert-history"],
    ["get", "/status-pages"],
    ["post", "/status-pages"],
    ["get", "/status-pages/{statusPageId}"],
    ["patch", "/status-pages/{statusPageId}"],
    ["delete", "/status-pages/{statusPageId}"],
    ["get", "/projects"],
    ["post", "/projects"],
    ["get", "/projects/{projectId}"],
    ["patch", "/projects/{projectId}"],
    ["delete", "/projects/{projectId}"],
    ["post", "/auth/sign-up/email"],
    ["post", "/auth/sign-in/email"],
    ["get", "/auth/get-session"]
  ] as const)("has the schemas of %s %s", ([method, path]) =>
    Effect.gen(function* () {
      const { paths } = yield* document
      const operation = paths[`/api/v1${path}`]?.[method]
      assert.isDefined(operation)
      if (method === "post" || method === "patch") {
        const { schema } = operation.requestBody.content["application/json"]
        assert.isTrue("$ref" in schema || "properties" in schema)
      }
      const [, good] = Object.entries<any>(operation.responses).find(([status]) => Number(status) < 300)!
      assert.isNotEmpty(good.content["application/json"].schema)
    })
  )

  it.effect("describes existing routes", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const { scim } = yield* tenant
      const { body: made } = yield* ada.withKey("POST", "/monitors", shop)
      const { body: job } = yield* ada.withKey("POST", "/monitors", { name: "Job", type: "heartbeat" })
      const { body: channel } = yield* ada.withKey("POST", "/notification-channels", {
        name: "Hook",
        type: "webhook",
        config: { url: "https://example.org/hook" }
      })
      const [rule] = (yield* ada.withKey("GET", "/alert-rules")).body
      const { body: page } = yield* ada.withKey("POST", "/status-pages", { name: "Acme", slug: "acme" })
      const ids: Record<string, string> = {
        monitorId: made.id,
        projectId: ada.projectId,
        channelId: channel.id,
        ruleId: rule.id,
        statusPageId: page.id,
        slug: page.slug,
        token: job.heartbeatUrl.split("/").at(-1),
        action: "start"
      }
      const { paths } = inPlace(yield* document)
      // Status pages, metrics and the addresses of certificate authorities have tests of their own.
      const ofApi = Object.entries<any>(paths).filter(([path]) => path.startsWith("/api/v1"))
      for (const [path, operations] of ofApi) {
        const route = path.replace("/api/v1", "").replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? "alr_none")
        // Deleting comes last: the others need something to be there.
        for (const method of Object.keys(operations).filter((name) => name === "get")) {
          // This answer has no end; it has tests of its own.
          if ("text/event-stream" in (operations[method].responses["200"].content ?? {})) continue
          // Filters can be left out; what has to be named is something that is there.
          const named = (operations[method].parameters ?? [])
            .filter((one: any) => one.in === "query" && one.required === true)
            .map(({ name }: { readonly name: string }) => `${name}=${ids[name]}`)
          const target = named.length === 0 ? route : `${route}?${named.join("&")}`
          const isScim = operations[method].security.some((one: object) => "scimToken" in one)
          if (isScim) {
            const { body, status } = yield* scim("GET", target.replace("/scim/v2", ""))
            assert.strictEqual(status, route.endsWith("/alr_none") ? 404 : 200, `${route}: ${JSON.stringify(body)}`)
            continue
          }
          // The key of these tests is one of a project.
          const needsSession =
            operations[method]["x-role-of"] === "organization" ||
            operations[method].security.every((one: object) => !("apiKey" in one))
          // A session names its project where the address does not; elsewhere the header says nothing.
          const answer = yield* needsSession
            ? ada.withSession("GET", target, undefined, { "kanmon-project": ada.projectId })
            : ada.withKey("GET", target)
          // There are no alerts here, so no link to acknowledge one is valid; no program asks to be signed in; the token is
          // that of a heartbeat, which invites nobody; and nobody has a calendar of shifts.
          const missing =
            /^(?!\/installation\/).*alr_none(?!\/metadata)|^\/auth\/sso\/start$|^\/public\/acknowledgements\/|^\/auth\/device$|^\/account\/calendar$|^\/calendars\/|^\/invitations\/[^/]+$/.test(
              route
            )
          // Nobody has begun to sign in through an identity provider, and there is none.
          const unasked = /^\/auth\/(sso\/(callback\/|finish)|sign-in\/sso\/connect$)/.test(route)
          // And this person is no administrator of the installation.
          const expected = unasked
            ? 400
            : missing
              ? 404
              : ["/audit-log/installation", "/regions/probes"].includes(route) || route.startsWith("/installation/")
                ? 403
                : 200
          assert.strictEqual(answer.status, expected, `${method} ${route}: ${JSON.stringify(answer.body)}`)
        }
        for (const method of ["put", "post", "patch", "delete"].filter((name) => !(name in operations))) {
          if (route.startsWith("/scim/")) {
            const answer = yield* scim(method.toUpperCase(), route.replace("/scim/v2", ""), {})
            scimRefused(answer, 405)
            assert.include(answer.headers.get("allow") ?? "", Object.keys(operations)[0]!.toUpperCase())
            continue
          }
          const answer = yield* ada.withKey(method.toUpperCase(), route, {})
          refused(answer, 405, "method_not_allowed")
          assert.include(answer.headers.get("allow") ?? "", Object.keys(operations)[0]!.toUpperCase())
        }
      }
    })
  )

  it.effect("has examples that the API accepts", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const { components } = yield* document
      const requests = Object.entries<any>(components.schemas).filter(([name]) => name.startsWith("MonitorRequest."))
      assert.isAtLeast(requests.length, 4)
      for (const [name, schema] of requests) {
        for (const example of schema.examples) {
          const answer = yield* ada.withKey("POST", "/monitors", example)
          assert.strictEqual(answer.status, 201, `${name}: ${JSON.stringify(answer.body)}`)
          const record = components.schemas[name.replace("Request", "")]
          for (const field of Object.keys(answer.body)) assert.property(record.properties, field)
          for (const field of record.required) assert.property(answer.body, field)
          const filled = Object.entries<any>(record.properties).filter(([, property]) => "default" in property)
          for (const [field, property] of filled) {
            if (!(field in example) && field !== "timeout")
              assert.deepStrictEqual(answer.body[field], property.default, field)
          }
        }
      }
    })
  )

  it.effect("has a page without external requests that shows the bodies of monitors", () =>
    Effect.gen(function* () {
      const page = yield* call("GET", "/docs")
      assert.strictEqual(page.status, 200)
      assert.match(page.headers.get("content-type") ?? "", /^text\/html/)
      const policy = page.headers.get("content-security-policy") ?? ""
      assert.include(policy, "default-src 'self'")
      assert.notInclude(policy, "http")
      // Its own scripts alone: none that text of a monitor or a plugin could bring in.
      const scripts = policy.split("; ").find((directive) => directive.startsWith("script-src")) ?? ""
      assert.match(scripts, /^script-src 'sha256-[^']+' 'sha256-[^']+'$/)
      assert.notMatch(page.body, /<(script|link|img)[^>]+(src|href)="?https?:/)
      assert.include(page.body, "MonitorRequest.http")
    })
  )

  it.effect.each(["/docs", "/openapi.json", "/asyncapi.json", "/kanmon.schema.json"])(
    "keeps %s compressed, and knows it again",
    (route) =>
      Effect.gen(function* () {
        const [first, second] = yield* Effect.replicateEffect(
          call("GET", route, undefined, { "accept-encoding": "br" }),
          2
        )
        assert.strictEqual(first!.headers.get("content-encoding"), "br")
        assert.deepStrictEqual(first!.body, second!.body)
        const etag = first!.headers.get("etag")!
        // An answer that is compressed anew has no length before its end.
        assert.strictEqual(first!.headers.get("content-length"), second!.headers.get("content-length"))
        assert.isAbove(Number(first!.headers.get("content-length")), 0)
        const known = yield* call("GET", route, undefined, { "if-none-match": etag, "accept-encoding": "gzip" })
        assert.deepStrictEqual([known.status, known.headers.get("etag"), known.body], [304, etag, ""])
      })
  )

  it.effect("answers at the base address", () =>
    Effect.gen(function* () {
      const at = yield* port
      const answer = yield* Effect.promise(() => fetch(`http://127.0.0.1:${at}/`).then((response) => response.json()))
      assert.deepInclude(answer, { docs: `${publicUrl}/api/v1/docs`, health: `${publicUrl}/api/v1/health` })
    })
  )
})

layer(server(), live)("every response", (it) => {
  it.effect("has the request id and security headers", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const answers = [
        yield* call("GET", "/health/live"),
        yield* ada.withKey("GET", "/monitors"),
        yield* ada.withKey("GET", "/nothing"),
        yield* ada.withKey("POST", "/monitors", "{"),
        yield* call("GET", "/auth/get-session")
      ]
      for (const { headers } of answers) {
        assert.match(headers.get("x-request-id") ?? "", /^[0-9a-z]{26}$/)
        assert.strictEqual(headers.get("x-content-type-options"), "nosniff")
        assert.include(headers.get("content-security-policy") ?? "", "default-src 'none'")
        assert.match(headers.get("cache-control") ?? "", /no-store/)
        // Browsers ignore it here, with an error on the console: the address is neither https nor this machine's.
        assert.isNull(headers.get("cross-origin-opener-policy"))
        assert.strictEqual(headers.get("cross-origin-resource-policy"), "same-origin")
        assert.include(headers.get("permissions-policy") ?? "", "camera=()")
        assert.isNull(headers.get("strict-transport-security"))
        assert.isNull(headers.get("access-control-allow-origin"))
      }
      assert.lengthOf([...new Set(answers.map(({ headers }) => headers.get("x-request-id")))], answers.length)
    })
  )

  it.effect.each([
    ["from-me:1.2", true],
    ["with space", false],
    ["x".repeat(129), false],
    ["<script>", false]
  ] as const)("takes over the id %s: %s", ([id, taken]) =>
    Effect.gen(function* () {
      const answer = yield* call("GET", "/health/live", undefined, { "x-request-id": id })
      assert.strictEqual(answer.headers.get("x-request-id") === id, taken)
    })
  )

  it.effect("is logged in one line, without query, headers and body", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const answer = yield* ada.withKey("GET", "/monitors?q=needle", undefined, { "x-secret": "pin" })
      const lines = (yield* Logs).filter(
        ({ annotations }) => annotations.requestId === answer.headers.get("x-request-id")
      )
      assert.lengthOf(lines, 1)
      const { millis, ...rest } = lines[0]!["annotations"]
      assert.isAtLeast(millis, 0)
      assert.deepStrictEqual(rest, {
        method: "GET",
        path: "/api/v1/monitors",
        status: 200,
        requestId: answer.headers.get("x-request-id")
      })
    })
  )

  it.effect("is a problem for an unknown route", () =>
    Effect.gen(function* () {
      for (const route of ["/nothing", "/monitors/%E0%A4%A", "/auth", "/auth/", "/projects/prj_1/nothing"]) {
        refused(yield* call("GET", route), 404, "not_found")
      }
      for (const target of ["//evil.example/api/v1/health", "/api/v1/../../etc/passwd"]) {
        assert.match(yield* raw(`GET ${target} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`), /^HTTP\/1.1 404 /)
      }
      assert.match(yield* raw("BREW / HTTP/1.1\r\nhost: x\r\n\r\n"), /^HTTP\/1.1 400 /)
    })
  )
})
