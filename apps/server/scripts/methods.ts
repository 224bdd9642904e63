/** The methods of the clients as Markdown: from the contract, so that each endpoint is there. */
import { Api } from "@kanmon/protocol/Api"
import { Context } from "effect"
import { HttpApi, type HttpApiEndpoint, OpenApi } from "effect/http-api"

/** The parameters of a call in their order; `options` comes last. */
const parametersOf = ({ path, payload, query }: HttpApiEndpoint.Top): ReadonlyArray<string> => [
  ...["id", "innerId"].slice(0, path.match(/:\w+/g)?.length ?? 0),
  ...(payload.size === 0 ? [] : ["body"]),
  ...(query === undefined ? [] : ["query?"])
]

/** A list of each group. */
export const methods = (): string => {
  const groups = new Map<string, { readonly title: string; readonly rows: Array<string> }>()
  HttpApi.reflect(Api, {
    onGroup: ({ group }) => {
      const title = Context.getOrElse(group.annotations, OpenApi.Title, () => group.identifier)
      groups.set(group.identifier, { title, rows: [] })
    },
    onEndpoint: ({ endpoint, group }) => {
      const call = `${group.identifier}.${endpoint.identifier}(${parametersOf(endpoint).join(", ")})`
      const summary = Context.getOrElse(endpoint.annotations, OpenApi.Summary, () => "")
      groups.get(group.identifier)!.rows.push(`- \`${call}\`: ${summary}`)
    }
  })
  return [...groups.values()].map(({ rows, title }) => [`### ${title}`, "", ...rows].join("\n")).join("\n\n")
}
