import { spawnSync } from 'node:child_process';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { runCommand } from '../../cli/program.ts';
import { terminal } from './terminals.ts';

/** Features that only a real shell or process has. */
const UNSUPPORTED =
  /(?<![&>])&(?![&1])|[`]|\$\(|\|\||^for |^\{ |\b(script|kill|timeout|FORCE_COLOR|older-database|cursors-in|node)\b|\bchatctl (serve|openapi|completion)\b|\/dev\/(full|tty)/;
/** Output outside the terminal of a command. */
const PRINTED_ELSEWHERE = /--help|--version|^chatctl( help.*| [\w-]+)?$| -o -$/;
const OPERATOR = /^(&&|;|\|)$/;

export interface Ran {
  output: string;
  exitCode: number;
}

/** Runs lines of shell with `chatctl` in this process. Other programs run in processes. */
export class InProcessShell {
  readonly #variables: Record<string, string> = {};

  constructor(private readonly folder: string) {}

  static takes(command: string): boolean {
    return !UNSUPPORTED.test(command);
  }

  static skips(command: string): boolean {
    return PRINTED_ELSEWHERE.test(command);
  }

  /** Runs `work` with the folder, HOME, and variables of the shell. */
  async run(typed: string): Promise<Ran> {
    const line = typed.replace(/"\$([A-Za-z_]\w*)"/g, (_, name: string) => `"${this.#variables[name] ?? ''}"`);
    const before = { env: { ...process.env }, folder: process.cwd() };
    process.chdir(this.folder);
    try {
      return await this.#list(tokensOf(line));
    } finally {
      process.chdir(before.folder);
      setEnvironment(before.env);
    }
  }

  async #list(tokens: readonly string[]): Promise<Ran> {
    let ran: Ran = { output: '', exitCode: 0 };
    let pipeline: string[][] = [[]];
    let output = '';
    const end = async () => {
      ran = await this.#pipeline(pipeline);
      output += ran.output;
      pipeline = [[]];
    };
    for (const token of tokens) {
      if (!OPERATOR.test(token)) pipeline.at(-1)?.push(token);
      else if (token === '|') pipeline.push([]);
      else {
        await end();
        if (token === '&&' && ran.exitCode !== 0) return { output, exitCode: ran.exitCode };
      }
    }
    await end();
    return { output, exitCode: ran.exitCode };
  }

  async #pipeline(stages: readonly string[][]): Promise<Ran> {
    let output = '';
    let input: Buffer = Buffer.alloc(0);
    let exitCode = 0;
    for (const [at, words] of stages.entries()) {
      const isLast = at === stages.length - 1;
      const ran = words.some((word) => word === 'chatctl')
        ? await this.#chatctl(words, input, isLast)
        : this.#program(words, input);
      exitCode = ran.exitCode;
      output += ran.printed;
      input = ran.out;
    }
    return { output: output + input, exitCode };
  }

  #program(words: readonly string[], input: Buffer) {
    const [, name, value] = /^(\w+)=(.*)$/.exec(unquoted(words[1] ?? '')) ?? [];
    if (words[0] === 'export' && name !== undefined) {
      this.#variables[name] = value as string;
      return { out: Buffer.alloc(0), printed: '', exitCode: 0 };
    }
    const env = { ...this.#environment(), PATH: process.env.PATH };
    const { stdout, stderr, status } = spawnSync('sh', ['-c', words.join(' ')], { input, cwd: this.folder, env });
    return { out: stdout, printed: String(stderr), exitCode: status ?? 1 };
  }

  /** @param isLast its stdout goes to its stderr, in order */
  async #chatctl(given: readonly string[], input: Buffer, isLast: boolean) {
    const words: string[] = [];
    const files = new Map<string, string>();
    const variables: Record<string, string> = {};
    for (let at = 0; at < given.length; at++) {
      const word = given[at] as string;
      const [, name, value] = /^(\w+)=(.*)$/.exec(word) ?? [];
      if (words.length === 0 && name !== undefined) variables[name] = unquoted(value as string);
      else if (/^(2?>>?|<)$/.test(word)) files.set(word, unquoted(given[++at] as string));
      else if (word === '2>&1') files.set(word, '');
      else words.push(unquoted(word));
    }
    setEnvironment({ ...process.env, ...this.#environment(), ...variables });
    const stdin = Object.getOwnPropertyDescriptor(process, 'stdin') as PropertyDescriptor;
    const from = files.get('<');
    const content = from === undefined ? input : readFileSync(resolve(this.folder, from));
    Object.defineProperty(process, 'stdin', { value: Readable.from([content]), configurable: true });
    let [out, printed] = ['', ''];
    const writer = (stream: '' | '2') => {
      const file = files.get(`${stream}>`) ?? files.get(`${stream}>>`);
      if (file === '/dev/null') return () => undefined;
      if (file !== undefined) {
        if (files.has(`${stream}>`)) writeFileSync(join(this.folder, file), '');
        return (text: string) => appendFileSync(join(this.folder, file), `${text}\n`);
      }
      const isOut = stream === '' || files.has('2>&1');
      return (text: string) => {
        if (isOut && !isLast) out += `${text}\n`;
        else printed += `${text}\n`;
      };
    };
    try {
      const exitCode = await runCommand(words.slice(1), { ...terminal(), out: writer(''), err: writer('2') });
      return { out: Buffer.from(out), printed, exitCode };
    } finally {
      Object.defineProperty(process, 'stdin', stdin);
    }
  }

  #environment() {
    return { HOME: this.folder, LANG: 'C.UTF-8', TZ: 'UTC', PARLANCE_LOG_LEVEL: 'warn', ...this.#variables };
  }
}

/** In place: the program may keep the object. */
function setEnvironment(variables: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (!Object.hasOwn(variables, name)) delete process.env[name];
  Object.assign(process.env, variables);
}

/** Words with their quotes, and operators. */
function tokensOf(line: string): string[] {
  return line.match(/&&|2>&1|2?>>?|<|[;|]|(?:\\.|[^\s'"\\|;<>&]|'[^']*'|"(?:\\.|[^"\\])*")+/g) ?? [];
}

const unquoted = (word: string) =>
  word.replace(
    /'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)/g,
    (_, single, double, escaped) => single ?? double?.replace(/\\(["\\$])/g, '$1') ?? escaped,
  );
