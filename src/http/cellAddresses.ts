/**
 * How far out the cells of a spreadsheet lie. A reader fills every gap up to the outermost cell, so that one cell at
 * ZZ1048576 costs as much as three hundred million; the size of the file says nothing of it.
 *
 * Looked at are all attributes that could be an address, wherever they stand, because the readers of XML differ in what
 * they take for a tag, and an address that is overlooked would be worse than one that is none.
 */
const ADDRESS = /\br\s*=\s*(?:"([^"]*)"|'([^']*)')/g

/** Characters of a tag. A longer one could hide an address between two pieces. */
const LONGEST_TAG = 1 << 18

export class CellAddresses {
  /** Cells of the rectangle that holds all that were seen. */
  get area(): number {
    return this.#columns * this.#rows
  }

  /** Whether an address is or could be written so that only a parser of XML could tell what it says. */
  isDisguised = false

  #columns = 1
  #rows = 1
  #rest = ''

  /** The next piece of a file, in bytes that are read as ASCII: addresses hold nothing else. */
  look(piece: Buffer): void {
    const text = this.#rest + piece.toString('latin1')
    const cut = text.lastIndexOf('<')
    const isTooLong = cut >= 0 && text.length - cut > LONGEST_TAG
    if (isTooLong) this.isDisguised = true
    this.#rest = cut < 0 || isTooLong ? '' : text.slice(cut)
    this.#find(text)
  }

  /** What comes is another file. */
  nextFile(): void {
    this.#rest = ''
  }

  #find(text: string): void {
    for (const [, double, single] of text.matchAll(ADDRESS)) {
      const address = double ?? single ?? ''
      if (address.includes('&')) this.isDisguised = true
      const [, letters = '', digits = ''] = /^\s*\$?([A-Za-z]{0,9})\$?(\d{0,9})\s*$/.exec(address) ?? []
      this.#columns = Math.max(this.#columns, columnOf(letters))
      this.#rows = Math.max(this.#rows, Number(digits))
    }
  }
}

/** "A" is 1, "AA" is 27. */
const columnOf = (letters: string): number =>
  Array.from(letters.toUpperCase()).reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0)
