/**
 * JSON that outlives a release: stored with the version of its shape, and upgraded when it is read. Data of older
 * releases stays readable forever. Samples of every released version are in `test/fixtures/persisted`, and a test reads
 * them.
 */
import { Schema, SchemaAST } from "effect"

/** The way from one version to the next. */
interface Upgrade {
  /** Turns a value of version n into one of version n + 1; the result is decoded by the next step. */
  readonly up: (stored: Schema.JsonObject) => Schema.JsonObject
}

const Stored = Schema.Record(Schema.String, Schema.Json)
const decodeStored = Schema.decodeUnknownSync(Stored)

/** The version of a stored value, without decoding the value. */
const versionOf = (json: unknown): unknown =>
  typeof json === "object" && json !== null && "version" in json ? json.version : 1

/**
 * A persisted shape: the latest schema, and the upgrades from version 1 on. A value without `version` is of version 1, as
 * the releases before this module wrote it.
 */
export const make = <S extends Schema.Codec<object, object>>(latest: S, upgrades: ReadonlyArray<Upgrade> = []) => {
  const version = upgrades.length + 1
  const decodeLatest = Schema.decodeUnknownSync(latest)
  // A schema without transformations encodes a value as itself.
  const isPlain = SchemaAST.toEncoded(latest.ast) === latest.ast
  const encodeSchema = Schema.encodeSync(latest)
  const encodeLatest = (value: S["Type"]): object => (isPlain ? value : encodeSchema(value))
  return {
    version,
    /** Decodes what any release stored. A value of an unknown shape is a defect. */
    decode: (json: unknown): S["Type"] => {
      if (versionOf(json) === version) return decodeLatest(json)
      const { version: stored = 1, ...value } = decodeStored(json)
      const steps = upgrades.slice(Number(stored) - 1)
      return decodeLatest(steps.reduce((older, { up }) => up(older), value))
    },
    /** The JSON to store. */
    encode: (value: S["Type"]): object => (version === 1 ? encodeLatest(value) : { version, ...encodeLatest(value) })
  }
}
