/** Moving from another product: reads its file, and answers what would be created here. */
import { ByteSize } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ImportPlan, maxImportBytes } from "./ImportBody.ts"
import { Authorization, Limits, Problems, ProjectOnly } from "./Middleware.ts"
import { refuses } from "./Problem.ts"
import { Declared } from "./Serving.ts"
import * as Examples from "./internal/ImportExamples.ts"
import { operation } from "./internal/Operation.ts"

export class ImportsApi extends HttpApiGroup.make("imports")
  .add(
    HttpApiEndpoint.post("uptimeKuma", "/uptime-kuma", {
      payload: HttpApiSchema.StreamUint8Array({
        contentType: "application/octet-stream",
        maxBytes: ByteSize.bytes(maxImportBytes)
      }),
      success: ImportPlan,
      error: refuses(
        "request_timeout",
        "payload_too_large",
        "unsupported_media_type",
        "validation_failed",
        "rate_limited",
        "unavailable"
      )
    }).annotateMerge(
      operation({
        id: "checkUptimeKumaFile",
        access: "monitors.write",
        summary: "Check an Uptime Kuma file",
        description:
          "Reads the database of Uptime Kuma 2 (`kuma.db`, copied while it is stopped) or a JSON backup of version 1, and returns the requests that create its monitors, channels, rules, status pages and maintenance windows here. Nothing is created, and the file is not kept. Send the steps in order: in their bodies the `ref` of an earlier step stands for the id of what it created. Records have keys, so a step that was done before answers 409 `conflict`: `exists` says so beforehand. `shortestInterval` is that of the plan; give a monitor with a shorter one a longer `interval` before it is sent.",
        request: "SQLite format 3",
        response: Examples.plan
      })
    )
  )
  .annotateEndpoints(Declared, { bodyLimit: maxImportBytes, timeout: "10 minutes" })
  .middleware(ProjectOnly)
  .middleware(Limits)
  .middleware(Authorization)
  .middleware(Problems)
  .prefix("/imports")
  .annotateMerge(OpenApi.annotations({ title: "Imports", description: "Moving from another product." })) {}
