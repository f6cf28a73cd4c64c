/**
 * `npm run lock`: completes package-lock.json. npm omits builds for other platforms if the registry lacks them. Then
 * `npm ci` refuses the file, here and on those platforms.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';

const LOCK = new URL('../../package-lock.json', import.meta.url);

interface Locked {
  version?: string;
  dev?: boolean;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  optionalDependencies?: Record<string, string>;
}

export interface LockFile {
  packages: Record<string, Locked>;
}

export const readLockFile = async (): Promise<LockFile> => JSON.parse(await readFile(LOCK, 'utf8'));

/** Optional packages that are required and not locked. */
export function missingFrom({ packages }: LockFile): Map<string, Locked> {
  const missing = new Map<string, Locked>();
  for (const [path, { dev, optionalDependencies = {} }] of Object.entries(packages)) {
    for (const [name, version] of Object.entries(optionalDependencies)) {
      const places = [`${path}/node_modules/${name}`, `node_modules/${name}`];
      if (places.some((place) => packages[place]) || !/^\d/.test(version)) continue;
      missing.set(`node_modules/${name}`, { version, ...platformOf(name), ...(dev ? { dev } : {}), optional: true });
    }
  }
  return missing;
}

/** The platform of a build, from the words of its name. */
function platformOf(name: string): Pick<Locked, 'os' | 'cpu' | 'libc'> {
  const os = /\b(aix|android|darwin|freebsd|linux|netbsd|openbsd|openharmony|sunos|win32)\b/.exec(name)?.[1];
  const cpu = /\b(arm64|arm|ia32|loong64|mips64el|ppc64|riscv64|s390x|x64)\b/.exec(name)?.[1];
  const libc = /\b(musl|gnu)(eabihf)?\b/.exec(name)?.[1];
  if (!os || !cpu) throw new Error(`${name} does not name its platform.`);
  if (os !== 'linux' || !libc) return { cpu: [cpu], os: [os] };
  return { cpu: [cpu], libc: [libc === 'gnu' ? 'glibc' : 'musl'], os: [os] };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const lock = await readLockFile();
  for (const [place, locked] of missingFrom(lock)) lock.packages[place] = locked;
  const [root, ...others] = Object.entries(lock.packages);
  others.sort(([a], [b]) => a.localeCompare(b, 'en'));
  lock.packages = Object.fromEntries([root as [string, Locked], ...others]);
  await writeFile(LOCK, `${JSON.stringify(lock, null, 2)}\n`);
}
