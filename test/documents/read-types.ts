import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { TypePrinter } from './type-printer.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const INFERRED = fileURLToPath(new URL('inferred-types.ts', import.meta.url));

/** A type that is shorter needs no name. */
const WORTH_A_NAME = 50;

/** A type with a schema in the library, and the name of the schema. */
export interface Named {
  name: string;
  /** The description of the schema. */
  said: string;
  type: ts.Type;
  plain: string;
  /** The type in parameters, with readonly lists. */
  isGiven: boolean;
  /** The schema itself: its name and the file that exports it. */
  exportedAs: string;
  file: string;
}

/** The compiler's types of the declarations. */
export interface ReadTypes {
  checker: ts.TypeChecker;
  /** The members of a type in `inferred-types.ts`. */
  members(name: string): Map<string, ts.Type>;
  named: Named[];
}

let known: ReadTypes | undefined;

/** Reading takes seconds, so it runs once. */
export function readTypes(): ReadTypes {
  known ??= readAll();
  return known;
}

function readAll(): ReadTypes {
  const { config } = ts.readConfigFile(`${ROOT}tsconfig.json`, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  // Distinguishes an optional property from one that may be undefined.
  const program = ts.createProgram([INFERRED], { ...options, exactOptionalPropertyTypes: true });
  const checker = program.getTypeChecker();
  const exportsOf = (file: ts.SourceFile) => {
    const symbol = checker.getSymbolAtLocation(file);
    return symbol ? checker.getExportsOfModule(symbol) : [];
  };
  const membersOf = (type: ts.Type) =>
    new Map(checker.getPropertiesOfType(type).map((property) => [property.name, checker.getTypeOfSymbol(property)]));

  const inferred = exportsOf(program.getSourceFile(INFERRED) as ts.SourceFile);
  const members = (name: string) => {
    const symbol = inferred.find((one) => one.name === name);
    if (!symbol) throw new Error(`There is no type ${name} in inferred-types.ts.`);
    return membersOf(checker.getDeclaredTypeOfSymbol(symbol));
  };

  const printer = new TypePrinter(checker);
  const givenPrinter = new TypePrinter(checker, { isGiven: true });
  const named = program
    .getSourceFiles()
    .filter(({ fileName }) => fileName.startsWith(`${ROOT}lib/`))
    .flatMap((file) => exportsOf(file).map((symbol) => ({ symbol, file: file.fileName })))
    .flatMap(({ symbol, file }): Named[] => {
      const type = schemaOutput(checker, symbol);
      if (!type) return [];
      const name = symbol.name.charAt(0).toUpperCase() + symbol.name.slice(1);
      const said = ts.displayPartsToString(symbol.getDocumentationComment(checker));
      const [plain, given] = [printer.plain(type), givenPrinter.plain(type)];
      const one = { name, said, type, plain, isGiven: false, exportedAs: symbol.name, file };
      if (given === plain) return [one];
      return [one, { ...one, name: name.endsWith('Param') ? name : `${name}Param`, plain: given, isGiven: true }];
    })
    .filter(({ plain }) => plain.length >= WORTH_A_NAME)
    .sort((one, other) => (one.name < other.name ? -1 : 1));
  const first = new Map(named.reverse().map((one) => [one.plain, one]));
  return { checker, members, named: [...first.values()].reverse() };
}

/** The type of an exported schema. Undefined for other exports. */
function schemaOutput(checker: ts.TypeChecker, symbol: ts.Symbol): ts.Type | undefined {
  if (!(symbol.flags & ts.SymbolFlags.Variable)) return undefined;
  const types = checker.getTypeOfSymbol(symbol).getProperty('~types');
  const described = types && checker.getNonNullableType(checker.getTypeOfSymbol(types));
  const output = described?.getProperty('output');
  return output && checker.getTypeOfSymbol(output);
}
