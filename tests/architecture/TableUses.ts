/** Which tables the SQL of a source writes and reads. SQL is what the templates with the tag `sql` contain. */

export interface TableUse {
  readonly table: string
  readonly kind: "write" | "lock" | "read"
}

/** The texts of the templates of a source, those inside others on their own. What is filled in is a space between `⟨` and `⟩`. */
const statementsOf = (source: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  const open = /(?<![\w.])sql`/g
  for (let match = open.exec(source); match !== null; match = open.exec(source))
    found.push(textOf(source, open.lastIndex))
  return found
}

/** The text of the template that begins at an index, with `⟨⟩` for each part that is filled in. */
const textOf = (source: string, start: number): string => {
  let text = ""
  for (let at = start; at < source.length; at++) {
    if (source[at] === "`") return text
    if (source[at] === "$" && source[at + 1] === "{") {
      at = endOfPart(source, at + 2)
      text += "⟨⟩"
    } else text += source[at]
  }
  return text
}

/** The index of the brace that closes a part; templates in the part are passed over whole. */
const endOfPart = (source: string, start: number): number => {
  let depth = 1
  for (let at = start; at < source.length; at++) {
    if (source[at] === "`") at = endOfTemplate(source, at + 1)
    else if (source[at] === "{") depth++
    else if (source[at] === "}" && --depth === 0) return at
  }
  return source.length
}

const endOfTemplate = (source: string, start: number): number => {
  for (let at = start; at < source.length; at++) {
    if (source[at] === "`") return at
    if (source[at] === "$" && source[at + 1] === "{") at = endOfPart(source, at + 2)
  }
  return source.length
}

const writing =
  /\b(?:INSERT INTO|(?<!FOR |KEY |DO )UPDATE|DELETE FROM|TRUNCATE(?: TABLE)?|COPY|LOCK TABLE)\s+(?:ONLY\s+)?"?(\w+|⟨⟩)/g
/** Also what a template begins with, when it is the part of another one that follows FROM: `users t WHERE …`. */
const reading = /(?:(?<!DELETE )\bFROM|\bJOIN|\bUSING|(?<=\bFROM\s[^()]*),|^)\s*"?(\w+)"?(?=\s|$|\))/g
const locking = /\bFOR (?:NO KEY )?UPDATE\b(?:\s+OF\s+(\w+(?:\s*,\s*\w+)*))?/g
const aliased = /(?:\bFROM|\bJOIN|\bUSING|,|^)\s*"?(\w+)"?\s+(?:AS\s+)?([a-z]\w*)\b/g

/** What a source does with these tables. Locks are those that writers have to wait for. */
export const usesOf = (source: string, tables: ReadonlySet<string>): ReadonlyArray<TableUse> => {
  const statements = statementsOf(source)
  const isTable = (name: string | undefined): name is string => name !== undefined && tables.has(name)
  const aliases = (text: string): ReadonlyArray<readonly [alias: string, table: string]> =>
    [...text.matchAll(aliased)].flatMap(([, table, alias]) => (isTable(table) ? [[alias!, table] as const] : []))
  const all = statements.flatMap(aliases)
  const uses = statements.flatMap((text): ReadonlyArray<TableUse> => {
    const written = [...text.matchAll(writing)].map(([, table]) => table)
    const read = [...text.matchAll(reading)].map(([, table]) => table)
    const locked = [...text.matchAll(locking)].flatMap(([, of]) => {
      if (of === undefined) return read
      const own = aliases(text)
      return of.split(/\s*,\s*/).flatMap((alias) => {
        const named = (own.some(([other]) => other === alias) ? own : all).filter(([other]) => other === alias)
        return [alias, ...named.map(([, table]) => table)]
      })
    })
    return [
      ...written.filter(isTable).map((table) => ({ table, kind: "write" as const })),
      ...locked.filter(isTable).map((table) => ({ table, kind: "lock" as const })),
      ...read.filter(isTable).map((table) => ({ table, kind: "read" as const }))
    ]
  })
  const key = ({ kind, table }: TableUse) => `${kind} ${table}`
  return [...new Map(uses.map((use) => [key(use), use])).values()]
}

/** Whether a statement of the source names its table at run time only. */
export const namesTablesLate = (source: string): boolean =>
  statementsOf(source).some((text) => /\b(?:INSERT INTO|UPDATE|DELETE FROM|FROM|JOIN)\s+⟨⟩/.test(text)) &&
  /\b(?:INSERT INTO|UPDATE|DELETE FROM|FROM|JOIN)\s+\$\{sql\(/.test(source)

/** The tables that migrations create, without partitions and what they drop again. */
export const tablesOf = (migrations: ReadonlyArray<string>): ReadonlySet<string> => {
  const text = migrations.join("\n")
  const created = [...text.matchAll(/CREATE (?:UNLOGGED )?TABLE (?:IF NOT EXISTS )?(\w+)(?!\w)(?! PARTITION OF)/g)]
  const dropped = new Set([...text.matchAll(/DROP TABLE (?:IF EXISTS )?(\w+)/g)].map(([, name]) => name))
  return new Set(created.map(([, name]) => name!).filter((name) => !dropped.has(name)))
}
