/** JSON Schemas of the fields of plugins, as far as the documents and types that are made from them look at them. */

export interface Property {
  readonly type?: string | ReadonlyArray<string>
  readonly enum?: ReadonlyArray<unknown>
  readonly description?: string
  readonly default?: unknown
  readonly anyOf?: ReadonlyArray<Property>
  readonly allOf?: ReadonlyArray<Property>
  readonly items?: Property
  readonly properties?: Readonly<Record<string, Property>>
  readonly required?: ReadonlyArray<string>
  readonly additionalProperties?: boolean | Property
}

/** The purpose of a field; empty if its schema has no description. */
export const describe = (property: Property): string =>
  property.description ??
  [...(property.allOf ?? []), ...(property.anyOf ?? [])].map(describe).find((text) => text !== "") ??
  ""
