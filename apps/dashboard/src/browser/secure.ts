/* oxlint-disable no-restricted-globals, no-restricted-properties -- the one place that uses what browsers keep for HTTPS and localhost */
/**
 * Browser features of secure contexts, which are HTTPS and localhost. An installation in a local network is often
 * opened over plain HTTP, where these are undefined. Each has a way without it here, or an answer that callers put into
 * words. https://w3c.github.io/webappsec-secure-contexts/
 */

/** 128 random bits as hexadecimal digits. `crypto.randomUUID` needs a secure context, `getRandomValues` does not. */
export const randomId = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("")

/** Copies by a selection, without moving the focus: a dialog would take it back. */
const copySelected = (text: string): boolean => {
  const selection = document.getSelection()
  if (selection === null) return false
  const before = Array.from({ length: selection.rangeCount }, (_, index) => selection.getRangeAt(index))
  const source = document.createElement("pre")
  source.textContent = text
  source.className = "pointer-events-none fixed start-0 top-0 whitespace-pre opacity-0 select-text"
  source.ariaHidden = "true"
  document.body.append(source)
  const onCopy = (event: ClipboardEvent) => {
    event.clipboardData?.setData("text/plain", text)
    event.preventDefault()
  }
  document.addEventListener("copy", onCopy, { capture: true, once: true })
  try {
    selection.selectAllChildren(source)
    return document.execCommand("copy")
  } catch {
    return false
  } finally {
    document.removeEventListener("copy", onCopy, { capture: true })
    source.remove()
    selection.removeAllRanges()
    for (const range of before) selection.addRange(range)
  }
}

/** Puts the text on the clipboard; false where the browser refuses, so that the reader copies it by hand. */
export const copyText = async (text: string): Promise<boolean> => {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    // Without a secure context, or without the permission.
    return copySelected(text)
  }
}

/** Whether the browser can keep the screen on here. */
export const canKeepScreenOn = (): boolean => "wakeLock" in navigator

/** Keeps the screen on until the answer is called. The browser may refuse, for example on an empty battery. */
export const keepScreenOn = async (): Promise<() => void> => {
  const lock = canKeepScreenOn() ? await navigator.wakeLock.request("screen").catch(() => undefined) : undefined
  return () => void lock?.release()
}

/** Browsers keep passkeys on secure addresses alone: HTTPS, and this machine. */
export const hasPasskeys = (): boolean => isSecureContext && "PublicKeyCredential" in window

/** Whether the browser can offer passkeys in the field of the e-mail address. */
export const offersPasskeys = async (): Promise<boolean> =>
  hasPasskeys() && (await PublicKeyCredential.isConditionalMediationAvailable?.().catch(() => false)) === true
