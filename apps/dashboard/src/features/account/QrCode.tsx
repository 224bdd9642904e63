/** A text as a QR code, drawn here, so that the secret stays in the browser. */
import { useMemo } from "react"
import encodeQR from "qr"

/** Modules of light around the code, without which cameras do not find it. */
const border = 3

const QrCode = ({ label, text }: { readonly text: string; readonly label: string }) => {
  const { path, size } = useMemo(() => {
    const rows = encodeQR(text, "raw", { border })
    return {
      size: rows.length,
      path: rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join("")
    }
  }, [text])
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="size-48 shrink-0 rounded-lg"
    >
      {/* Black on white in every scheme: cameras expect it. */}
      <path d={`M0 0h${size}v${size}H0z`} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}

export default QrCode
