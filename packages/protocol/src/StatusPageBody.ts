/** The bodies of status pages. `monitorIds` names the monitors alone; `monitors`, in its stead, with their headings. */
import { bound } from "@kanmon/domain/BoundedText"
import { decodeStrict, type FieldError, InvalidFields } from "@kanmon/domain/FieldErrors"
import { MonitorId } from "@kanmon/domain/Ids"
import { visible } from "@kanmon/domain/Line"
import {
  CustomDomain,
  CustomDomainRecord,
  DisplayGroup,
  EmbedOrigin,
  maxEmbedOrigins,
  Slug,
  StatusPage
} from "@kanmon/domain/StatusPage"
import { Effect, Result, Schema, SchemaIssue, SchemaTransformation } from "effect"
import * as Body from "./Body.ts"

/** Text as the name in DNS that it stands for: `Münster.Example.` is `xn--mnster-3ya.example`. None for other text. */
const dnsName = (text: string): string | undefined =>
  // The parser would take ports and paths apart, undo percent signs and drop line breaks: only names get there.
  /(?![\w.-])\p{ASCII}/u.test(text) ? undefined : URL.parse(`http://${text}`)?.hostname.replace(/\.$/, "")

const noName = "Expected a full domain name such as status.example.org, without scheme, port or path"

const DomainText = Schema.NullOr(Schema.String.check(bound(2048, noName))).pipe(
  Schema.decodeTo(
    Schema.NullOr(CustomDomain),
    SchemaTransformation.transformEffect({
      decode: (text: string | null, options) => {
        if (text === null || text === "") return Effect.succeed(null)
        const name = dnsName(text)
        return name === undefined
          ? Effect.fail(new SchemaIssue.InvalidValue({ message: noName }, text, options))
          : Effect.succeed(name)
      },
      encode: (name: string | null): Effect.Effect<string | null> => Effect.succeed(name)
    })
  )
)

const list = <S extends Schema.Constraint>(item: S) =>
  Schema.Array(item).check(Schema.isMaxLength(1000, { message: "Expected at most 1000 monitors" }))

const shown = Schema.Struct({
  monitorId: MonitorId,
  displayGroup: Schema.NullOr(DisplayGroup.check(visible))
    .annotate({ description: "Heading above the monitor on the page; null means none" })
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed(null)))
})

export const pageFields = {
  key: Body.key,
  name: Body.name.annotate({ description: "Title of the page" }),
  slug: Slug.annotate({
    description:
      "Name of the page in its public address: 2 to 63 lower-case letters, digits and hyphens, unique in the installation"
  }),
  monitorIds: Schema.optionalKey(
    list(MonitorId).annotate({
      description: "Monitors that the page shows, in this order. In a change, those that stay keep their headings"
    })
  ),
  monitors: Schema.optionalKey(
    list(shown).annotate({ description: "The same with headings, instead of `monitorIds`" })
  ),
  tags: Body.followedTags(
    "Set of tags: the page also shows the monitors that carry any of them, after the others and by name"
  ),
  embedOrigins: Schema.Array(EmbedOrigin)
    .check(Schema.isMaxLength(maxEmbedOrigins, { message: `Expected at most ${maxEmbedOrigins} origins` }).abort())
    .annotate({
      description:
        "Set of origins, such as https://portal.example.org, that may show the compact form `…/embed` of the page in a frame; http only for this machine. Other parts of the page cannot be framed"
    })
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed([]))),
  customDomain: DomainText.annotate({
    description:
      "Custom domain of the page, such as status.example.org; `customDomainRecords` of the answer lists the DNS records to create. Null or empty means none"
  }).pipe(Schema.withDecodingDefaultKey(Effect.succeed(null)))
}

/** The body of a new status page, as it is sent. */
export type PageRequest = Schema.Struct<typeof pageFields>["Encoded"]

/** The body of a change. Fields that are left out stay as they are; null puts a field back to its default. */
export type PageUpdate = Body.Change<PageRequest>

export type PageDraft = Pick<
  StatusPage,
  "key" | "name" | "slug" | "monitors" | "tags" | "embedOrigins" | "customDomain"
>

/** Why no page can have a name as its custom domain, as a sentence; undefined when one can. */
export type DomainRefusal = (name: string) => string | undefined

const decodeFields = Body.fit(decodeStrict(Schema.Struct(pageFields)))

/** Decodes a page's body; every broken field is named. `current` is the page that the body changes. */
export const decode = (
  body: unknown,
  refusal: DomainRefusal,
  current?: StatusPage
): Result.Result<PageDraft, InvalidFields> => {
  return Result.flatMap(decodeFields(body), (fields) => {
    const { customDomain, embedOrigins, key, monitorIds = [], monitors, name, slug, tags } = fields
    const errors = [
      ...contradiction(fields),
      ...repetitions(fields),
      ...(customDomain === (current?.customDomain ?? null) ? [] : refused(refusal, customDomain))
    ]
    if (errors.length > 0) return Result.fail(new InvalidFields({ errors }))
    const headings = new Map(current?.monitors.map(({ displayGroup, monitorId }) => [monitorId, displayGroup]))
    const bare = monitorIds.map((monitorId) => ({ monitorId, displayGroup: headings.get(monitorId) ?? null }))
    return Result.succeed({
      key,
      name,
      slug,
      monitors: monitors ?? bare,
      tags: [...new Set(tags)],
      embedOrigins: [...new Set(embedOrigins)],
      customDomain
    })
  })
}

/**
 * Lays a change over a page. Either of `monitorIds` and `monitors` replaces all that were shown; null puts a field back to its
 * default.
 */
export const merge = (current: StatusPage, change: unknown): unknown => {
  if (typeof change !== "object" || change === null || Array.isArray(change)) return change
  const { customDomain, embedOrigins, key, monitors, name, slug, tags } = current
  const kept = "monitorIds" in change || "monitors" in change ? {} : { monitors }
  return Body.cleared(pageFields, { customDomain, embedOrigins, key, name, slug, tags, ...kept, ...change })
}

/** The rows for monitors that a decoded body names and the project does not have. */
export const unknownMonitors = (body: unknown, ids: ReadonlyArray<MonitorId>): ReadonlyArray<FieldError> => {
  const strange = new Set(ids)
  return places(body as Named).flatMap(({ id, path }) =>
    strange.has(id) ? [{ path, message: `This project has no ${id}` }] : []
  )
}

interface Named {
  readonly monitorIds?: ReadonlyArray<MonitorId>
  readonly monitors?: ReadonlyArray<{ readonly monitorId: MonitorId }>
}

/** Where a body names which monitor. */
const places = ({
  monitorIds = [],
  monitors
}: Named): ReadonlyArray<{ readonly id: MonitorId; readonly path: string }> =>
  monitors === undefined
    ? monitorIds.map((id, index) => ({ id, path: `monitorIds[${index}]` }))
    : monitors.map(({ monitorId }, index) => ({ id: monitorId, path: `monitors[${index}].monitorId` }))

const contradiction = ({ monitorIds, monitors }: Named): ReadonlyArray<FieldError> =>
  monitorIds === undefined ||
  monitors === undefined ||
  (monitorIds.length === monitors.length && monitorIds.every((id, index) => id === monitors[index]!.monitorId))
    ? []
    : [{ path: "monitors", message: "Expected the monitors of monitorIds in the same order; give one of the two" }]

const repetitions = (named: Named): ReadonlyArray<FieldError> => {
  const seen = new Set<MonitorId>()
  return places(named).flatMap(({ id, path }) => {
    const again = seen.has(id)
    seen.add(id)
    return again ? [{ path, message: `Expected ${id} once; leave this one out` }] : []
  })
}

const refused = (refusal: DomainRefusal, name: string | null): ReadonlyArray<FieldError> => {
  const message = name === null ? undefined : refusal(name)
  return message === undefined ? [] : [{ path: "customDomain", message }]
}

/** The preview of a page that is not saved. */
export const StatusPagePreview = Schema.Struct({
  html: Schema.String.annotate({
    description:
      "The page as an HTML document with its first 50 monitors, without script. Its stylesheet is at an address of this installation"
  })
}).annotate({ identifier: "StatusPagePreview" })
export type StatusPagePreview = typeof StatusPagePreview.Type

/** The colours of a preview. */
export const PreviewScheme = Schema.Literals(["light", "dark"]).annotate({
  description: "Colours of the preview. Default: the reader's system colours"
})

/** A status page as its owner sees it. */
export const StatusPageRecord = Schema.Struct({
  ...StatusPage.fields,
  customDomainRecords: Schema.Array(CustomDomainRecord).annotate({
    description: "DNS records that `customDomain` needs; empty without one, or while the installation has no pages host"
  })
}).annotate({ identifier: "StatusPage" })
export type StatusPageRecord = typeof StatusPageRecord.Type
