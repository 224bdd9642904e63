/** An OpenAPI document for tests that look at one operation: shared parameters and responses are where they are used. */

/** The document with the parameters and responses of every operation in place of the references to them; schemas stay references. */
export const inPlace = (document: any): any => {
  const found = (node: any): any =>
    typeof node?.$ref === "string"
      ? node.$ref
          .slice(2)
          .split("/")
          .reduce((part: any, key: string) => part?.[key], document)
      : node
  const operation = ({ parameters, responses, ...others }: any): any => ({
    ...others,
    ...(parameters === undefined ? {} : { parameters: parameters.map(found) }),
    responses: Object.fromEntries(Object.entries(responses).map(([status, response]) => [status, found(response)]))
  })
  return {
    ...document,
    paths: Object.fromEntries(
      Object.entries<object>(document.paths).map(([path, operations]) => [
        path,
        Object.fromEntries(Object.entries(operations).map(([method, each]) => [method, operation(each)]))
      ])
    )
  }
}
