/** Examples of operations for the OpenAPI document. */
import type { Operation } from "@kanmon/domain/Operation"
import * as Examples from "./Examples.ts"

export const operation: typeof Operation.Encoded = {
  id: "op_01m7xt2k9w4c7r5n8b3v6q0hzy",
  projectId: Examples.project.id,
  action: "update",
  status: "running",
  total: 2400,
  done: 700,
  failed: 0,
  failures: [],
  summary: "700 of 2400 monitors so far: 700 changed",
  createdBy: { kind: "user", name: "Ada" },
  createdAt: "2026-11-20T09:02:10.000Z",
  finishedAt: null
}

export const stopped: typeof Operation.Encoded = {
  ...operation,
  status: "stopped",
  done: 800,
  summary: "Stopped: 800 of 2400 monitors changed, 1600 left as they were",
  finishedAt: "2026-11-20T09:02:14.000Z"
}
