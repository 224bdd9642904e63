/** Uptime Kuma's groups, which are monitors there: paths of their names, and what was set on them for what is in them. */
import { flag, type Loose, nameOf, text } from "./Backup.ts"
import { cut } from "./Draft.ts"

const maxDepth = 4
const maxName = 64

/** The monitors of a backup by their parents. */
export class Groups {
  readonly #byId: ReadonlyMap<string, Loose>
  readonly #children: ReadonlyMap<string, ReadonlyArray<Loose>>

  constructor(monitors: ReadonlyArray<Loose>) {
    this.#byId = new Map(monitors.map((monitor) => [text(monitor, "id"), monitor]))
    this.#children = Map.groupBy(monitors, (monitor) => text(monitor, "parent"))
  }

  /** The parents of a monitor, the outermost first. */
  #ancestors(monitor: Loose): ReadonlyArray<Loose> {
    const found: Array<Loose> = []
    let at = this.#byId.get(text(monitor, "parent"))
    while (at !== undefined && at !== monitor && !found.includes(at)) {
      found.unshift(at)
      at = this.#byId.get(text(at, "parent"))
    }
    return found
  }

  /** The path of a monitor's groups; empty without one. */
  pathOf(monitor: Loose): { readonly path: string; readonly notes: ReadonlyArray<string> } {
    const groups = this.#ancestors(monitor).filter(isGroup)
    const names = groups.map((group) => segment(nameOf(group)))
    return {
      path: names.slice(0, maxDepth).join("/"),
      notes:
        names.length <= maxDepth
          ? []
          : [`its group is deeper than ${maxDepth}: it is in ${names.slice(0, maxDepth).join("/")}`]
    }
  }

  /** Whether a monitor is checked: neither it nor a group around it is paused. */
  isActive(monitor: Loose): boolean {
    return [monitor, ...this.#ancestors(monitor)].every((one) => flag(one, "active"))
  }

  /** A parent that is a monitor itself. */
  parentMonitor(monitor: Loose): Loose | undefined {
    const parent = this.#ancestors(monitor).at(-1)
    return parent === undefined || isGroup(parent) ? undefined : parent
  }

  /** All monitors in a group and in the groups in it. */
  members(group: Loose): ReadonlyArray<Loose> {
    const found = new Set<Loose>()
    const visit = (parent: Loose): void => {
      for (const child of this.#children.get(text(parent, "id")) ?? [])
        if (!found.has(child) && child !== group) {
          found.add(child)
          visit(child)
        }
    }
    if (text(group, "id") !== "") visit(group)
    return [...found].filter((monitor) => !isGroup(monitor))
  }
}

export const isGroup = (monitor: Loose): boolean => text(monitor, "type") === "group"

/** A name as a part of a path, which has no slash. */
const segment = (name: string): string => cut(name.replaceAll(/[/\p{Cc}]+/gu, "-").trim(), maxName).trim() || "-"
