/** Exit codes. A file of its own: `chatctl --version` loads no library. */
export const EXIT = {
  done: 0,
  refused: 1,
  usage: 2,
  /** `why`: the user may not, or it cannot be decided. */
  notAllowed: 3,
  notAuthenticated: 4,
  unreachable: 8,
  interrupted: 130,
} as const;
