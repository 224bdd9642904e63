/** The status pages of a project. */
import type { StatusPageRecord } from "@kanmon/protocol/StatusPageBody"
import { queryOptions, useQuery } from "@tanstack/react-query"
import { useEffect, useState } from "react"
import { ApiError } from "../../api/problem.ts"
import { request } from "../../api/request.ts"
import type { CurrentProject } from "../../api/session.ts"
import { addressOf } from "../../browser/place.ts"
import { useProjectData } from "../../live/ProjectData.tsx"

export type StatusPage = typeof StatusPageRecord.Encoded

/** The fields of a page in the form and the preview. */
export type PageDraft = Pick<StatusPage, "name" | "slug" | "monitors" | "tags">

/** How often the state of a custom domain is asked for while it is being set up. */
const setupPause = 5000

const isPending = ({ customDomainStatus }: StatusPage): boolean =>
  customDomainStatus === "pending_dns" || customDomainStatus === "provisioning"

export const statusPagesQuery = (project: CurrentProject) =>
  queryOptions({
    queryKey: ["status-pages", project.id],
    queryFn: ({ signal }) => request("GET /status-pages", { query: { limit: 1000 }, project: project.headers, signal }),
    refetchInterval: ({ state }) => (state.data?.some(isPending) === true ? setupPause : false)
  })

export const useStatusPages = () => useQuery(statusPagesQuery(useProjectData().project))

/** The address of a page on this installation, besides its other addresses. */
export const pageAddress = (slug: string): string => addressOf(`/status/${slug}`)

export type SlugState = "unchanged" | "invalid" | "checking" | "free" | "taken"

const typingPause = 350

/** Whether a page can have this slug, asked while it is typed. */
export const useSlugState = (slug: string, own: string | undefined): SlugState => {
  const [settled, setSettled] = useState(slug)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(slug), typingPause)
    return () => clearTimeout(timer)
  }, [slug])
  const isValid = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])$/.test(settled)
  const { data } = useQuery({
    queryKey: ["slug", settled],
    queryFn: async ({ signal }): Promise<"free" | "taken"> => {
      try {
        await request("GET /public/status-pages/:slug", { params: { slug: settled }, signal })
        return "taken"
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return "free"
        throw error
      }
    },
    enabled: isValid && settled !== own,
    // An answer is old as soon as a page was made.
    staleTime: 0,
    gcTime: 0
  })
  if (slug === own) return "unchanged"
  if (slug !== settled) return "checking"
  return isValid ? (data ?? "checking") : "invalid"
}
