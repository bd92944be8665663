import ts from 'typescript';

/** Editor features for a program. Comments in the program mark positions, each with the name of its mark. */
export interface Editor {
  /** Names that the editor suggests at a mark. */
  completions(mark: string): string[];
  /** Documentation of a suggested name. */
  describe(mark: string, name: string): string;
  /** Documentation in the hover of the name before a mark. */
  hover(mark: string): string;
  /** The other parts of the hover of a method: its signature, and the errors that it throws. */
  hoverOfMethod(mark: string): { signature: string; throws: string[] };
}

/**
 * Opens a program in TypeScript's language service, which editors use.
 *
 * @param file - virtual path of the program, which determines its packages and module format
 * @param customConditions - conditions of `exports`, such as `carillon-source` for the sources of the packages
 */
export function openEditor(file: string, program: string, customConditions: string[] = []): Editor {
  const options: ts.CompilerOptions = {
    customConditions,
    strict: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
    types: [],
  };
  const service = ts.createLanguageService({
    getCompilationSettings: () => options,
    getCurrentDirectory: ts.sys.getCurrentDirectory,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    getScriptFileNames: () => [file],
    getScriptVersion: () => '1',
    getScriptSnapshot: (name) => {
      const text = name === file ? program : ts.sys.readFile(name);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    useCaseSensitiveFileNames: () => ts.sys.useCaseSensitiveFileNames,
    directoryExists: ts.sys.directoryExists,
    fileExists: (name) => name === file || ts.sys.fileExists(name),
    readFile: (name) => (name === file ? program : ts.sys.readFile(name)),
  });
  const at = (mark: string): number => {
    const place = program.indexOf(`/*${mark}*/`);
    if (place < 0) throw new Error(`The program has no mark ${mark}`);
    return place;
  };
  const text = (parts: ts.SymbolDisplayPart[] | undefined): string => ts.displayPartsToString(parts);
  return {
    completions: (mark) =>
      (service.getCompletionsAtPosition(file, at(mark), undefined)?.entries ?? []).map(({ name }) => name),
    describe: (mark, name) =>
      text(
        service.getCompletionEntryDetails(file, at(mark), name, undefined, undefined, undefined, undefined)
          ?.documentation,
      ),
    hover: (mark) => text(service.getQuickInfoAtPosition(file, at(mark) - 1)?.documentation),
    hoverOfMethod(mark) {
      const { displayParts, tags = [] } = service.getQuickInfoAtPosition(file, at(mark) - 1) ?? {};
      const thrown = tags.filter(({ name }) => name === 'throws');
      return { signature: text(displayParts), throws: thrown.map((tag) => text(tag.text)) };
    },
  };
}
