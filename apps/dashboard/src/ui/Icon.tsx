/** Small pictures beside text; decorative. */
import {
  ArrowLeft,
  Bell,
  ChartNoAxesGantt,
  Check,
  ChevronDown,
  CircleUser,
  Copy,
  Download,
  Ellipsis,
  Funnel,
  GripVertical,
  House,
  type LucideIcon,
  Megaphone,
  Minus,
  PanelTop,
  Pause,
  Pencil,
  PhoneCall,
  Play,
  Plus,
  RefreshCw,
  Search,
  SlidersHorizontal,
  Trash2,
  TriangleAlert,
  X
} from "lucide-react"
import { classes } from "./classes.ts"

const icons = {
  account: CircleUser,
  alerts: TriangleAlert,
  back: ArrowLeft,
  channels: Bell,
  check: Check,
  chevron: ChevronDown,
  close: X,
  copy: Copy,
  download: Download,
  edit: Pencil,
  filter: Funnel,
  grip: GripVertical,
  incidents: Megaphone,
  minus: Minus,
  monitors: ChartNoAxesGantt,
  more: Ellipsis,
  now: House,
  onCall: PhoneCall,
  pages: PanelTop,
  pause: Pause,
  play: Play,
  plus: Plus,
  refresh: RefreshCw,
  search: Search,
  settings: SlidersHorizontal,
  trash: Trash2
} as const satisfies Record<string, LucideIcon>

export type IconName = keyof typeof icons

/** 16 px with lines of 1.5 px. */
export const Icon = ({ className, name }: { readonly name: IconName; readonly className?: string }) => {
  const Picture = icons[name]
  return (
    <Picture
      size={16}
      strokeWidth={1.5}
      absoluteStrokeWidth
      className={classes("size-4 shrink-0", className)}
      aria-hidden="true"
      focusable="false"
    />
  )
}

/** Two posts and two lintels: a gate. */
export const Mark = ({ className }: { readonly className?: string }) => (
  <svg viewBox="0 0 32 32" className={classes("size-7", className)} aria-hidden="true" focusable="false">
    <rect width="32" height="32" rx="7" className="fill-accent" />
    <path
      d="M5.5 9.2h21M8 14h16M10.5 9.2v16.3M21.5 9.2v16.3"
      className="stroke-surface"
      fill="none"
      strokeWidth="2.6"
      strokeLinecap="round"
    />
  </svg>
)
