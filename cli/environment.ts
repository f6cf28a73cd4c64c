/** A setting of the environment by the rest of its name, also by the older one; an empty one is none. */
export function fromEnvironment(name: string): string | undefined {
  return process.env[`PARLANCE_${name}`]?.trim() || process.env[`CHATCTL_${name}`]?.trim() || undefined;
}
