"""The shop's data, and the rules that need nothing else."""

from store.demo import DEMO_CUSTOMER, demo_store
from store.interface import Opening, Store, utc_now
from store.memory import MemoryStore
from store.model import Category, Customer, Item, Order, OrderStatus, Payment, Policy, Ticket

__all__ = [
    "DEMO_CUSTOMER",
    "Category",
    "Customer",
    "Item",
    "MemoryStore",
    "Opening",
    "Order",
    "OrderStatus",
    "Payment",
    "Policy",
    "Store",
    "Ticket",
    "demo_store",
    "utc_now",
]
