/** Tells screen readers what only eyes would notice. */

let region: HTMLElement | undefined

/** Reads a text out when the reader is done with others. */
export const announce = (text: string): void => {
  if (region?.isConnected !== true) {
    region = document.createElement("div")
    region.setAttribute("role", "status")
    region.className = "sr-only"
    document.body.append(region)
  }
  region.textContent = text
}
