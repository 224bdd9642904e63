/** What the endpoints of the contract require of their callers. */
import type { Permission } from "@kanmon/domain/Role"
import { Context, Option } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import { AdminOnly, UserOnly } from "./Middleware.ts"
import { Documented } from "./internal/Operation.ts"

/** What the caller must be permitted to do in the project; undefined for endpoints that belong to no project. */
export const permissionOf = ({ annotations }: HttpApiEndpoint.Top): Permission | undefined =>
  Option.getOrUndefined(Context.getOption(annotations, Documented))?.access

/** Whether the endpoint belongs to an account, so that a session decides even if a key is sent too. */
export const isOfAccount = ({ middlewares }: HttpApiEndpoint.Top): boolean =>
  [...middlewares].some((middleware) => middleware === UserOnly || middleware === AdminOnly)
