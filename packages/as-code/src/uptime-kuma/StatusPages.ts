/** Converts status pages: their groups become headings, their domain the custom domain. */
import { Slug } from "@kanmon/domain/StatusPage"
import { Schema } from "effect"
import { flag, type Loose, nameOf, objects, text } from "./Backup.ts"
import type { Draft } from "../Secret.ts"
import { type Converted, cut, leftOut, look, type Said } from "./Draft.ts"
import { isGroup } from "./Groups.ts"

const isSlug = Schema.is(Slug)

type Keys = ReadonlyMap<Loose, ReadonlyArray<string>>

/** The entry of a status page. `keysOf`: the entries that monitors became. */
export const convert = (page: Loose, monitors: ReadonlyArray<Loose>, keysOf: Keys): Converted => {
  const title = text(page, "title") || text(page, "slug")
  const rest = incidentsLeft(page)
  // Pages here are public: one that was not must not become so by an import.
  if (text(page, "password") !== "") return leftOut("it has a password; status pages here are public", ...rest)
  if (!flag(page, "published")) return leftOut("it is not published; status pages here are public", ...rest)
  const { notes, shown } = membersOf(page, monitors, keysOf)
  const [domain, ...others] = Array.isArray(page["domains"]) ? page["domains"].map(String) : []
  const theirs = text(page, "slug").toLowerCase()
  // Uptime Kuma allows names that are reserved here, such as `status`.
  const slug = [theirs, `${theirs}-status`].find(isSlug) ?? theirs
  const draft: Draft = {
    name: cut(title, 200),
    slug,
    monitors: shown,
    ...(domain === undefined ? {} : { customDomain: domain })
  }
  return {
    drafts: [draft],
    notes: [
      ...(slug === theirs ? [] : [`its slug is ${slug}, since ${theirs} is not possible here`]),
      ...notes,
      ...(domain === undefined
        ? []
        : [look(`its domain ${domain} needs new DNS records, which the form of the new page shows`)]),
      ...(others.length > 0 ? [`it has one domain here, not ${others.join(", ")} as well`] : []),
      ...lost(page),
      ...rest
    ]
  }
}

interface Members {
  readonly shown: ReadonlyArray<Draft>
  readonly notes: ReadonlyArray<Said>
}

const membersOf = (page: Loose, monitors: ReadonlyArray<Loose>, keysOf: Keys): Members => {
  const byId = new Map(monitors.map((monitor) => [text(monitor, "id"), monitor]))
  const [shown, notes, seen] = [new Array<Draft>(), new Array<Said>(), new Set<string>()]
  for (const group of objects(page["groups"])) {
    const heading = cut(text(group, "name").replaceAll(/\p{Cc}+/gu, " "), 100).trim()
    for (const member of objects(group["members"])) {
      const monitor = byId.get(text(member, "monitor_id"))
      if (monitor === undefined) continue
      const keys = keysOf.get(monitor) ?? []
      const name = nameOf(monitor)
      // Members of a group may not be meant for the public.
      if (isGroup(monitor))
        notes.push(look(`the group ${name} cannot be shown; add the monitors in it that visitors may see`))
      else if (keys.length === 0) notes.push(look(`the monitor ${name} is missing on it`))
      if (flag(member, "send_url") || text(member, "custom_url") !== "")
        notes.push(`the monitor ${name} has no link on it`)
      for (const key of keys) {
        if (seen.has(key)) notes.push(`the monitor ${name} is shown once, not under ${heading} as well`)
        else shown.push({ monitor: key, group: heading === "" ? null : heading })
        seen.add(key)
      }
    }
  }
  return { shown, notes }
}

/** Settings without a counterpart, when they are not Uptime Kuma's defaults. */
const lost = (page: Loose): ReadonlyArray<string> => {
  const parts = [
    ...(text(page, "description") === "" ? [] : ["description"]),
    ...(text(page, "footer_text") === "" ? [] : ["footer"]),
    ...(text(page, "custom_css") === "" ? [] : ["CSS"]),
    ...(["", "/icon.svg"].includes(text(page, "icon")) ? [] : ["icon"]),
    ...(["", "auto"].includes(text(page, "theme")) ? [] : ["theme"]),
    ...(text(page, "analytics_type") === "" && text(page, "analytics_id") === "" ? [] : ["analytics"]),
    ...(flag(page, "show_tags") ? ["tags"] : []),
    ...(flag(page, "show_certificate_expiry") ? ["certificate expiry"] : []),
    ...(text(page, "rss_title") === "" ? [] : ["feed title"]),
    ...(page["search_engine_index"] === 0 ? ["exclusion from search engines"] : [])
  ]
  return parts.length === 0 ? [] : [`not carried over: ${parts.join(", ")}`]
}

/** Incidents are not in files; those that are still visible are named. */
const incidentsLeft = (page: Loose): ReadonlyArray<string> => {
  const incidents = objects(page["incidents"])
  const open = incidents.filter((incident) => flag(incident, "active") && flag(incident, "pin"))
  const past = incidents.length - open.length
  return [
    ...open.map((incident) => `its incident "${text(incident, "title")}" is still shown; report it under Incidents`),
    ...(past > 0 ? [`its past incidents are not carried over (${past})`] : [])
  ]
}
