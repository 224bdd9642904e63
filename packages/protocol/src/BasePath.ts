/** Where the API lives below the installation's address. */
export const basePath = "/api/v1"
