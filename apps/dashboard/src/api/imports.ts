/** Requests of the plan of an import. The plan has their paths and bodies. */
import type { ProjectHeaders } from "./message.ts"
import { deliver } from "./request.ts"

interface Created {
  readonly id: string
  readonly warnings?: ReadonlyArray<{ readonly message: string }>
}

/** Sends the body of a step. */
export const createAt = async (path: string, body: unknown, project: ProjectHeaders): Promise<Created> =>
  (await deliver({ method: "POST", path, body, project })).json() as Promise<Created>

/** The records of a list. */
export const recordsAt = async (path: string, project: ProjectHeaders): Promise<ReadonlyArray<Created>> =>
  (await deliver({ method: "GET", path, project })).json() as Promise<ReadonlyArray<Created>>
