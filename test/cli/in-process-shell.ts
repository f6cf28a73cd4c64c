import { spawnSync } from 'node:child_process';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { runCommand } from '../../cli/program.ts';
import { terminal } from './terminals.ts';

/** Features that only a real shell or process has. */
const UNSUPPORTED =
  /(?<![&>])&(?![&1])|[`]|\$\(|\|\||^\{ |\b(bash|script|kill|timeout|FORCE_COLOR|older-database|cursors-in|node)\b|\bchatctl (serve|openapi|completion)\b|\/dev\/(full|tty)/;
/** The output of another program in a command. */
const SUBSTITUTED = /\$\(((?:cat|printf|sed|head|cut) [^()]*)\)/g;
const LOOP = /^for (\w+) in (.+?); do (.+); done(?: \| (.+))?$/;
/** Output outside the terminal of a command. */
const PRINTED_ELSEWHERE = /--version| -o -$/;
const OPERATOR = /^(&&|;|\|)$/;

export interface Ran {
  output: string;
  /** The part of the output that `chatctl` wrote to stdout. */
  stdout: string;
  exitCode: number;
}

export interface InProcessShellOptions {
  /** Variables for its commands. Changes apply to later commands. */
  env?: Readonly<Record<string, string>>;
}

/** Runs lines of shell with `chatctl` in this process. Other programs run in processes. */
export class InProcessShell {
  readonly #variables: Record<string, string> = {};
  readonly #env: Readonly<Record<string, string>>;
  /** The program, perhaps of another version. */
  runCommand = runCommand;

  constructor(
    private readonly folder: string,
    { env = {} }: InProcessShellOptions = {},
  ) {
    this.#env = env;
  }

  static takes(command: string): boolean {
    return !UNSUPPORTED.test(command.replace(SUBSTITUTED, '').replace(/'[^']*'|"[^"$`]*"/g, "''"));
  }

  static skips(command: string): boolean {
    return PRINTED_ELSEWHERE.test(command);
  }

  /** Runs `work` with the folder, HOME, and variables of the shell. */
  async run(typed: string): Promise<Ran> {
    const line = typed
      .replace(/"\$([A-Za-z_]\w*)"/g, (_, name: string) => `"${this.#variables[name] ?? ''}"`)
      .replace(SUBSTITUTED, (_, program: string) => String(this.#program([program], Buffer.alloc(0)).out).trimEnd());
    const before = { env: { ...process.env }, folder: process.cwd() };
    process.chdir(this.folder);
    try {
      const loop = LOOP.exec(line);
      return await (loop ? this.#loop(loop) : this.#list(tokensOf(line)));
    } finally {
      process.chdir(before.folder);
      setEnvironment(before.env);
    }
  }

  async #loop([, name, words = '', body = '', filter]: RegExpExecArray): Promise<Ran> {
    let [output, exitCode] = ['', 0];
    for (const word of tokensOf(words)) {
      const ran = await this.#list(tokensOf(body.replaceAll(`$${name}`, unquoted(word))));
      output += ran.output;
      exitCode = ran.exitCode;
    }
    if (filter === undefined) return { output, stdout: output, exitCode };
    const filtered = this.#program([filter], Buffer.from(output));
    const stdout = String(filtered.out);
    return { output: stdout, stdout, exitCode: filtered.exitCode };
  }

  async #list(tokens: readonly string[]): Promise<Ran> {
    const all: Ran = { output: '', stdout: '', exitCode: 0 };
    let pipeline: string[][] = [[]];
    const end = async () => {
      const previous = String(all.exitCode);
      const ran = await this.#pipeline(pipeline.map((stage) => stage.map((word) => word.replace('$?', previous))));
      all.output += ran.output;
      all.stdout += ran.stdout;
      all.exitCode = ran.exitCode;
      pipeline = [[]];
    };
    for (const token of tokens) {
      if (!OPERATOR.test(token)) pipeline.at(-1)?.push(token);
      else if (token === '|') pipeline.push([]);
      else {
        await end();
        if (token === '&&' && all.exitCode !== 0) return all;
      }
    }
    await end();
    return all;
  }

  async #pipeline(stages: readonly string[][]): Promise<Ran> {
    let [output, stdout] = ['', ''];
    let input: Buffer = Buffer.alloc(0);
    let exitCode = 0;
    for (const [at, words] of stages.entries()) {
      const isLast = at === stages.length - 1;
      const ran = words.some((word) => word === 'chatctl')
        ? await this.#chatctl(words, input, isLast)
        : this.#program(words, input);
      exitCode = ran.exitCode;
      output += ran.printed;
      stdout += ran.stdout;
      input = ran.out;
    }
    return { output: output + input, stdout: stdout + input, exitCode };
  }

  #program(words: readonly string[], input: Buffer) {
    if (words[0] === 'export') {
      for (const word of words.slice(1)) {
        const [, name = '', value = ''] = /^(\w+)=(.*)$/.exec(unquoted(word)) ?? [];
        this.#variables[name] = value;
      }
      return { out: Buffer.alloc(0), printed: '', stdout: '', exitCode: 0 };
    }
    const env = { PATH: process.env.PATH, ...this.#environment() };
    const { stdout, stderr, status } = spawnSync('sh', ['-c', words.join(' ')], { input, cwd: this.folder, env });
    return { out: stdout, printed: String(stderr), stdout: '', exitCode: status ?? 1 };
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
    let [out, printed, stdout] = ['', '', ''];
    const writer = (stream: '' | '2') => {
      const own = files.get(`${stream}>`) ?? files.get(`${stream}>>`);
      const file = own ?? (files.has('2>&1') ? (files.get('>') ?? files.get('>>')) : undefined);
      if (file === '/dev/null') return () => undefined;
      if (file !== undefined) {
        if (files.has(`${stream}>`)) writeFileSync(join(this.folder, file), '');
        return (text: string) => appendFileSync(join(this.folder, file), `${text}\n`);
      }
      const isOut = stream === '' || files.has('2>&1');
      return (text: string) => {
        if (isOut && !isLast) out += `${text}\n`;
        else printed += `${text}\n`;
        if (isOut && isLast) stdout += `${text}\n`;
      };
    };
    try {
      const exitCode = await this.runCommand(words.slice(1), { ...terminal(), out: writer(''), err: writer('2') });
      return { out: Buffer.from(out), printed, stdout, exitCode };
    } finally {
      Object.defineProperty(process, 'stdin', stdin);
    }
  }

  #environment() {
    const usual = { HOME: this.folder, LANG: 'C.UTF-8', TZ: 'UTC', PARLANCE_LOG_LEVEL: 'warn' };
    return { ...usual, ...this.#env, ...this.#variables };
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
