/** One attempt of a check over a network of its own, as the host makes it. */
import * as PatientEvaluator from "@kanmon/testkit/PatientEvaluator"
import type { Check } from "@kanmon/core/Check"
import * as CheckNetwork from "@kanmon/core/CheckNetwork"
import { type CheckResult, CheckRunner } from "@kanmon/core/CheckRunner"
import dns from "@kanmon/check-dns"
import http from "@kanmon/check-http"
import tcp from "@kanmon/check-tcp"
import { Effect, Layer, Result } from "effect"

export type Network = Parameters<typeof CheckNetwork.layer>[0]

const kinds: Readonly<Record<string, Check>> = Object.fromEntries(
  [dns, http, tcp].flatMap(({ checks }) => checks).map((check) => [check.type, check])
)

const timeoutMillis = 20_000

/** The result of one check of a type with these settings. */
export const attempt = (type: "dns" | "http" | "tcp", settings: object, network: Network): Effect.Effect<CheckResult> =>
  Effect.flatMap(CheckRunner, ({ run }) =>
    run(Result.getOrThrow(kinds[type]!.prepare(settings)), timeoutMillis, timeoutMillis)
  ).pipe(
    Effect.provide(
      CheckRunner.layer({ region: "test-lab", concurrency: 10, hostConcurrency: 10 }).pipe(
        Layer.provide([PatientEvaluator.layer, CheckNetwork.layer(network)])
      )
    )
  )
